#include "settings_portal.hpp"

#include <dbus/dbus.h>

#include <stdexcept>

namespace e2e
{

namespace
{

const char *const NAME = "org.freedesktop.portal.Desktop";
const char *const INTERFACE = "org.freedesktop.portal.Settings";
const char *const GROUP = "org.freedesktop.appearance", *const KEY = "color-scheme";

void append_variant(DBusMessageIter *to, int type, const char *signature, const void *value)
{
    DBusMessageIter inner;

    dbus_message_iter_open_container(to, DBUS_TYPE_VARIANT, signature, &inner);
    dbus_message_iter_append_basic(&inner, type, value);
    dbus_message_iter_close_container(to, &inner);
}

void append_scheme(DBusMessage *m, dbus_uint32_t scheme)
{
    DBusMessageIter at;

    dbus_message_iter_init_append(m, &at);
    append_variant(&at, DBUS_TYPE_UINT32, "u", &scheme);
}

} // namespace

bool SettingsPortal::can_run()
{
    return !find_program("dbus-daemon").empty();
}

SettingsPortal::SettingsPortal(unsigned scheme) : scheme_(scheme)
{
    Command c;

    c.argv = {"dbus-daemon", "--session", "--nofork", "--print-address=1"};
    bus_ = std::make_unique<Process>(c);
    wait_until(PATIENCE, [&] { return bus_->out().find('\n') != std::string::npos; });
    address_ = bus_->out().substr(0, bus_->out().find('\n'));
    dbus_threads_init_default();
    connection_ = dbus_connection_open_private(address_.c_str(), nullptr);
    if (!connection_ || !dbus_bus_register(connection_, nullptr) ||
        dbus_bus_request_name(connection_, NAME, 0, nullptr) !=
            DBUS_REQUEST_NAME_REPLY_PRIMARY_OWNER)
        throw std::runtime_error("no bus: " + bus_->err());
    thread_ = std::thread([this] { serve(); });
}

SettingsPortal::~SettingsPortal()
{
    over_ = true;
    thread_.join();
    dbus_connection_close(connection_);
    dbus_connection_unref(connection_);
}

void SettingsPortal::serve()
{
    while (!over_ && dbus_connection_read_write(connection_, 20)) {
        while (DBusMessage *m = dbus_connection_pop_message(connection_)) {
            if (dbus_message_is_method_call(m, INTERFACE, "Read"))
                answer(m);
            dbus_message_unref(m);
        }
    }
}

/* A variant in a variant, as Read() of real portals says it. */
void SettingsPortal::answer(DBusMessage *m)
{
    DBusMessage *reply = dbus_message_new_method_return(m);
    const dbus_uint32_t scheme = scheme_;
    DBusMessageIter at, outer;

    dbus_message_iter_init_append(reply, &at);
    dbus_message_iter_open_container(&at, DBUS_TYPE_VARIANT, "v", &outer);
    append_variant(&outer, DBUS_TYPE_UINT32, "u", &scheme);
    dbus_message_iter_close_container(&at, &outer);
    send(reply);
    asked_++;
}

DBusMessage *SettingsPortal::signal(const char *group, const char *key)
{
    DBusMessage *m =
        dbus_message_new_signal("/org/freedesktop/portal/desktop", INTERFACE, "SettingChanged");

    dbus_message_append_args(m, DBUS_TYPE_STRING, &group, DBUS_TYPE_STRING, &key,
                             DBUS_TYPE_INVALID);
    return m;
}

void SettingsPortal::send(DBusMessage *m)
{
    dbus_connection_send(connection_, m, nullptr);
    dbus_connection_flush(connection_);
    dbus_message_unref(m);
}

void SettingsPortal::change(unsigned scheme)
{
    DBusMessage *m = signal(GROUP, KEY);

    scheme_ = scheme;
    append_scheme(m, scheme);
    send(m);
}

void SettingsPortal::talk_nonsense()
{
    const char *text = "light";
    const dbus_uint64_t large = 2;
    DBusMessageIter at;

    for (auto [group, key] : {std::pair("org.gnome.desktop.interface", KEY),
                              std::pair(GROUP, "accent-color"), std::pair(GROUP, "")}) {
        DBusMessage *m = signal(group, key);
        append_scheme(m, 2);
        send(m);
    }
    send(signal(GROUP, KEY)); /* without a value */
    DBusMessage *m = signal(GROUP, KEY);
    dbus_message_iter_init_append(m, &at);
    append_variant(&at, DBUS_TYPE_STRING, "s", &text);
    send(m);
    m = signal(GROUP, KEY);
    dbus_message_iter_init_append(m, &at);
    append_variant(&at, DBUS_TYPE_UINT64, "t", &large);
    send(m);
    m = dbus_message_new_signal("/org/freedesktop/portal/desktop", INTERFACE, "SettingChanged");
    dbus_message_append_args(m, DBUS_TYPE_STRING, &GROUP, DBUS_TYPE_INVALID); /* no key */
    send(m);
}

void SettingsPortal::end()
{
    bus_->stop();
}

} // namespace e2e
