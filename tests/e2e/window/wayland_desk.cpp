#include "wayland_desk.hpp"
#include "tests/e2e/shown_viewer.hpp"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include <stdexcept>

#include "tests/e2e/json.hpp"

namespace e2e
{

static const uid_t NOBODY = 65534;

bool can_run_wayland()
{
    return installed("sway") && installed("swaymsg") && installed("grim");
}

/* The name in the folder that begins so and does not end with `without`. */
static std::string entry(const std::string &folder, const std::string &begin,
                         const std::string &without)
{
    std::string found;
    DIR *d = opendir(folder.c_str());
    for (dirent *e = d ? readdir(d) : nullptr; e; e = readdir(d)) {
        const std::string name = e->d_name;
        if (name.rfind(begin, 0) == 0 && name.find(without) == std::string::npos)
            found = name;
    }
    if (d)
        closedir(d);
    return found;
}

static std::string output_name(size_t number)
{
    return "HEADLESS-" + std::to_string(number + 1);
}

static std::string config_of(const std::vector<Output> &outputs, const std::string &more)
{
    std::string text = "xwayland disable\nfor_window [title=\".*\"] floating enable\n"
                       "focus_follows_mouse no\n"
                       "input * repeat_rate 0\nseat * hide_cursor 100\n";
    int x = 0;

    for (size_t i = 0; i < outputs.size(); i++) {
        const Output &o = outputs[i];
        text += "output " + output_name(i) + " resolution " + std::to_string(o.width) + "x" +
                std::to_string(o.height) + " scale " + std::to_string(o.scale) + " position " +
                std::to_string(x) + " 0\n";
        x += o.width / o.scale;
    }
    return text + "output * bg #204060 solid_color\n" + more + "\n";
}

WaylandDesk::WaylandDesk(const std::vector<Output> &outputs, const std::string &config)
    : outputs_(outputs)
{
    /* sway refuses to run as root */
    const uid_t uid = getuid() == 0 ? NOBODY : 0;
    if (uid && chown(dir_.path().c_str(), uid, uid) != 0)
        throw std::runtime_error("chown failed");
    write_file(dir_.file("sway.config"), config_of(outputs, config), 0644);
    Command c;
    c.argv = {"sway", "-c", dir_.file("sway.config")};
    c.env = {{"XDG_RUNTIME_DIR", dir_.path()},
             {"WLR_BACKENDS", "headless"},
             {"WLR_HEADLESS_OUTPUTS", std::to_string(outputs.size())},
             {"WLR_LIBINPUT_NO_DEVICES", "1"},
             {"WLR_RENDERER", "pixman"},
             {"HOME", dir_.path()}};
    c.unset = {"DISPLAY", "WAYLAND_DISPLAY", "SWAYSOCK"};
    c.uid = uid;
    sway_ = std::make_unique<Process>(c);
    const bool up = wait_until(PATIENCE, [&] {
        socket_ = entry(dir_.path(), "wayland-", "lock");
        control_ = entry(dir_.path(), "sway-ipc.", "none");
        return !sway_->running() || (!socket_.empty() && !control_.empty());
    });
    if (!up || !sway_->running())
        throw std::runtime_error("sway did not come up: " + sway_->err());
    control_ = dir_.file(control_);
    int width = 0, height = 0;
    for (const Output &o : outputs) {
        width += o.width / o.scale;
        height = std::max(height, o.height / o.scale);
    }
    hands_ = std::make_unique<Hands>(dir_.file(socket_), width, height);
    hands_->move(0, 0);
}

WaylandDesk::~WaylandDesk() = default;

void WaylandDesk::add_to(Command &c) const
{
    c.env.erase("DISPLAY");
    c.unset = {"DISPLAY", "SDL_VIDEODRIVER", "VNC_PASSWORD", "VNC_USERNAME"};
    c.env["WAYLAND_DISPLAY"] = socket_;
    c.env["XDG_RUNTIME_DIR"] = dir_.path();
    c.env["LIBGL_ALWAYS_SOFTWARE"] = "1"; /* else some Mesas say that there is no graphics card */
}

std::string WaylandDesk::run_swaymsg(const std::vector<std::string> &words, bool *ok)
{
    Command c;
    c.argv = {"swaymsg", "-s", control_};
    c.argv.insert(c.argv.end(), words.begin(), words.end());
    const Finished done = run(c);
    *ok = done.status == 0;
    return done.out;
}

bool WaylandDesk::say(const std::string &words)
{
    bool ok;
    run_swaymsg({"--", words}, &ok);
    return ok;
}

Image WaylandDesk::see(int output)
{
    Command c;
    c.argv = {
        "grim", "-t", "ppm", "-o", output_name(static_cast<size_t>(output)), dir_.file("seen.ppm")};
    add_to(c);
    return run(c).status == 0 ? read_ppm(dir_.file("seen.ppm")) : Image();
}

Image WaylandDesk::see(const struct rect &r)
{
    int x = 0;
    size_t i = 0;
    while (i + 1 < outputs_.size() && r.x >= x + outputs_[i].width / outputs_[i].scale)
        x += outputs_[i].width / outputs_[i].scale, i++;
    const Image all = see(static_cast<int>(i));
    const int by = outputs_[i].scale, left = (r.x - x) * by, top = r.y * by;
    Image part(r.w * by, r.h * by);
    if (left < 0 || top < 0 || left + part.width > all.width || top + part.height > all.height)
        return Image();
    for (int py = 0; py < part.height; py++)
        for (int px = 0; px < part.width; px++)
            part.pixels[static_cast<size_t>(py) * part.width + px] = all.at(left + px, top + py);
    return part;
}

static struct rect read_rect(const cJSON *object, const char *key)
{
    const cJSON *r = cJSON_GetObjectItemCaseSensitive(object, key);
    auto side = [&](const char *name) {
        const cJSON *n = cJSON_GetObjectItemCaseSensitive(r, name);
        return n ? n->valueint : 0;
    };
    return {side("x"), side("y"), side("width"), side("height")};
}

static bool search(const cJSON *node, const std::string &end, WaylandDesk::Window *out)
{
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(node, "name"), *child;
    const std::string title = cJSON_IsString(name) ? name->valuestring : "";

    if (cJSON_GetObjectItemCaseSensitive(node, "app_id") && title.size() >= end.size() &&
        title.compare(title.size() - end.size(), end.size(), end) == 0) {
        const struct rect outer = read_rect(node, "rect"), inner = read_rect(node, "window_rect");
        const cJSON *full = cJSON_GetObjectItemCaseSensitive(node, "fullscreen_mode");

        *out = {title,
                {outer.x + inner.x, outer.y + inner.y, inner.w, inner.h},
                cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(node, "focused")) != 0,
                full && full->valueint > 0};
        return true;
    }
    for (const char *list : {"nodes", "floating_nodes"})
        cJSON_ArrayForEach(child, cJSON_GetObjectItemCaseSensitive(
                                      node, list)) if (search(child, end, out)) return true;
    return false;
}

WaylandDesk::Window WaylandDesk::find(const std::string &end)
{
    bool ok;
    const Json tree = parse(run_swaymsg({"-t", "get_tree"}, &ok));
    Window w;
    search(tree.get(), end, &w);
    return w;
}

WaylandViewer::WaylandViewer(WaylandDesk &desk, const Server &server,
                             const std::vector<std::string> &more)
    : WaylandViewer(desk, server.address, more)
{
}

WaylandViewer::WaylandViewer(WaylandDesk &desk, const std::string &address,
                             const std::vector<std::string> &more)
    : desk_(desk)
{
    std::vector<std::string> all = {"--alert-on-fatal-error=off", "--recent", "off"};
    all.insert(all.end(), more.begin(), more.end());
    Command c = ShownViewer::command("", address, all);
    desk.add_to(c);
    process_ = std::make_unique<Process>(c);
    if (!wait_title("- vnchl"))
        throw std::runtime_error("no window: " + process_->err());
}

bool WaylandViewer::wait_title(const std::string &end)
{
    const bool up = wait_until(PATIENCE, [&] {
        const WaylandDesk::Window w = desk_.find(end);
        return (is_desktop_title(w.title) && !w.title.empty() && w.focused) || !process_->running();
    });
    return up && process_->running();
}

bool WaylandViewer::wait_size(int w, int h)
{
    struct rect r = {0, 0, 0, 0};
    const bool same = wait_until(PATIENCE, [&] {
        r = window().place;
        return r.w == w && r.h == h;
    });
    if (!same)
        UNSCOPED_INFO("the window has " << r.w << " x " << r.h);
    return same;
}

bool WaylandViewer::wait_shows(const Image &expected)
{
    Image seen;
    const bool same = wait_until(PATIENCE, [&] {
        seen = desk_.see(window().place);
        return seen == expected;
    });
    if (!same)
        UNSCOPED_INFO(difference(seen, expected));
    return same;
}

} // namespace e2e
