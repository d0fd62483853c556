/* A keyboard and a pointer for a Wayland compositor that lets programs be them: sway does. At first
 * it is a US keyboard. */
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace e2e
{

class Hands
{
  public:
    /* `socket`: the path of the compositor's. The pointer moves over an area of this size. */
    Hands(const std::string &socket, int width, int height);
    ~Hands();
    Hands(const Hands &) = delete;
    Hands &operator=(const Hands &) = delete;

    /* Another one, as setxkbmap names it: "se", "us(intl)". No key is down. */
    void layout(const std::string &name);
    /* The key of this code, as X counts. */
    void key_at(unsigned code, bool down);
    /* What that has, with the modifiers of these keys. */
    uint32_t keysym(unsigned code, const std::vector<unsigned> &held) const;
    /* The key that has this keysym, without modifiers. */
    void key(uint32_t keysym, bool down);
    void tap(uint32_t keysym);
    /* To the middle of this unit of the layout. */
    void move(int x, int y);
    /* 1, 2, 3 as X numbers them. */
    void button(unsigned number, bool down);

  private:
    struct Wayland;
    std::unique_ptr<Wayland> wayland_;
};

} // namespace e2e
