// Precompiled: what nearly every test includes, and the compiler reads slowly.
#include "tests/catch.hpp"

#include <chrono>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>
