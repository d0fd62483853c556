/* A bus of a test's own, and on it a portal that says whether the desktop is light or dark. */
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <thread>

#include "tests/e2e/process.hpp"

struct DBusConnection;
struct DBusMessage;

namespace e2e
{

class SettingsPortal
{
  public:
    /* Whether there is a bus to be started. */
    static bool can_run();

    /* `scheme` is what Read() says: 0 no wish, 1 dark, 2 light. */
    explicit SettingsPortal(unsigned scheme);
    ~SettingsPortal();
    SettingsPortal(const SettingsPortal &) = delete;
    SettingsPortal &operator=(const SettingsPortal &) = delete;

    /* What finds the bus. */
    std::map<std::string, std::string> environment() const
    {
        return {{"DBUS_SESSION_BUS_ADDRESS", address_}};
    }
    /* How often it was asked. */
    int asked() const
    {
        return asked_;
    }
    /* The user changes it: tells all. */
    void change(unsigned scheme);
    /* Says what no portal says: another group, another key, and values that are no number. */
    void talk_nonsense();
    /* Ends the bus. */
    void end();

  private:
    void serve();
    void answer(DBusMessage *m);
    DBusMessage *signal(const char *group, const char *key);
    void send(DBusMessage *m);

    std::string address_;
    std::unique_ptr<Process> bus_;
    DBusConnection *connection_ = nullptr;
    std::atomic<unsigned> scheme_;
    std::atomic<int> asked_{0};
    std::atomic<bool> over_{false};
    std::thread thread_;
};

} // namespace e2e
