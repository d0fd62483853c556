// How vnchl-linkem starts and ends: options, exit status, servers, nothing left behind.
#pragma once

namespace lifecycle
{

void options();
void status();
void servers();
void cleanup();

} // namespace lifecycle
