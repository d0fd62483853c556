// H.264 as other encoders make it: pictures, and streams of them by x264.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <x264.h> // it wants <cstdint> before it

#include "tests/catch.hpp"
#include "tests/expect.hpp"

namespace h264
{

struct Image {
    int w = 0, h = 0;
    std::vector<uint32_t> pixels;

    Image(int width, int height, uint32_t colour = 0)
        : w(width), h(height), pixels(size_t(width) * size_t(height), colour)
    {
    }
    uint32_t &at(int x, int y)
    {
        return pixels[size_t(y) * size_t(w) + size_t(x)];
    }
    uint32_t at(int x, int y) const
    {
        return pixels[size_t(y) * size_t(w) + size_t(x)];
    }
    Image part(int x, int y, int width, int height) const
    {
        Image out(width, height);
        for (int i = 0; i < height; i++)
            for (int k = 0; k < width; k++)
                out.at(k, i) = at(x + k, y + i);
        return out;
    }
};

// Soft shades in all colours that move, and a square.
inline Image picture(int n, int w, int h)
{
    Image i(w, h);
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            // even: two pixels have one colour between them
            int left = 4 + 2 * n % std::max(1, w - 24), top = h / 8 * 2;
            bool in = x >= left && x < left + 16 && y >= top && y < 2 * top;
            auto shade = [](double v) { return uint32_t(128 + 110 * std::sin(v)); };
            uint32_t r = shade((x + 2 * n) / 30.0), g = shade((y - n) / 20.0);
            uint32_t b = shade((x + y + 40) / 35.0);
            i.at(x, y) = in ? 0xf0e020 : r << 16 | g << 8 | b;
        }
    return i;
}

// dB
inline double psnr(const Image &a, const Image &b)
{
    double sum = 0;
    REQUIRE((a.w == b.w && a.h == b.h));
    for (size_t i = 0; i < a.pixels.size(); i++)
        for (int k = 0; k < 24; k += 8) {
            double d = double(a.pixels[i] >> k & 255) - double(b.pixels[i] >> k & 255);
            sum += d * d;
        }
    return 10 * std::log10(255 * 255 * 3 * double(a.pixels.size()) / std::max(sum, 1.0));
}

enum class Matrix { UNSAID, BT601, BT709, BT2020 };

struct Look {
    Matrix matrix = Matrix::BT601;
    bool full = false;
    int csp = X264_CSP_I420;
    int slices = 1;
    bool delimiters = false; // between pictures
    int qp = 18;
    const char *profile = "baseline";
    int kbit = 0; // a second, at 30 pictures a second; 0: as `qp` says
};

// Grey pictures of any kind that x264 makes; as many as are asked for. Each may stand on `refs`.
inline std::vector<std::string> grey(int w, int h, int csp, int bits, int refs = 1, int count = 1)
{
    x264_param_t p;
    x264_picture_t in, out;
    x264_nal_t *nal;
    int nals;
    std::vector<std::string> all;
    EXPECT(x264_param_default_preset(&p, "ultrafast", "zerolatency") == 0);
    p.i_threads = 1;
    p.i_width = w;
    p.i_height = h;
    p.i_csp = csp | (bits > 8 ? X264_CSP_HIGH_DEPTH : 0);
    p.i_bitdepth = bits;
    p.i_frame_reference = p.i_dpb_size = refs;
    p.i_keyint_max = X264_KEYINT_MAX_INFINITE;
    p.b_repeat_headers = p.b_annexb = 1;
    p.i_log_level = X264_LOG_NONE;
    x264_t *x264 = x264_encoder_open(&p);
    EXPECT(x264);
    EXPECT(x264_picture_alloc(&in, p.i_csp, w, h) == 0);
    for (int k = 0; k < in.img.i_plane; k++) // 257 of 1023, or 1 of 255
        memset(in.img.plane[k], 1,
               size_t(in.img.i_stride[k]) * size_t(k > 0 && csp == X264_CSP_I420 ? h / 2 : h));
    for (int i = 0; i < count; i++) {
        in.i_pts = i;
        EXPECT(x264_encoder_encode(x264, &nal, &nals, &in, &out) > 0);
        all.emplace_back();
        for (int k = 0; k < nals; k++)
            all.back().append(reinterpret_cast<char *>(nal[k].p_payload), size_t(nal[k].i_payload));
    }
    x264_picture_clean(&in);
    x264_encoder_close(x264);
    return all;
}

// A stream of pictures of one size.
class Coder
{
  public:
    Coder(int w, int h, Look look = {}) : look_(look), w_(w), h_(h)
    {
        x264_param_t p;
        EXPECT(x264_param_default_preset(&p, "superfast", "zerolatency") == 0);
        p.i_threads = 1;
        p.i_width = w;
        p.i_height = h;
        p.i_csp = look.csp;
        p.i_keyint_max = X264_KEYINT_MAX_INFINITE;
        p.i_scenecut_threshold = 0;
        p.i_slice_count = look.slices;
        p.b_sliced_threads = 0;
        p.b_repeat_headers = 1;
        p.b_annexb = 1;
        p.b_aud = look.delimiters;
        p.i_log_level = X264_LOG_NONE;
        p.rc.i_rc_method = X264_RC_CQP;
        p.rc.i_qp_constant = look.qp;
        if (look.kbit) { // at most a quarter of a second waits
            p.rc.i_rc_method = X264_RC_ABR;
            p.rc.i_bitrate = p.rc.i_vbv_max_bitrate = look.kbit;
            p.rc.i_vbv_buffer_size = look.kbit / 4;
            p.b_vfr_input = 0;
            p.i_fps_num = 30;
            p.i_fps_den = 1;
        }
        p.vui.b_fullrange = look.full;
        const int matrices[] = {-1, 6, 1, 9};
        if (look.matrix != Matrix::UNSAID)
            p.vui.i_colmatrix = p.vui.i_colorprim = p.vui.i_transfer = matrices[int(look.matrix)];
        if (look.csp == X264_CSP_I420)
            EXPECT(x264_param_apply_profile(&p, look.profile) == 0);
        x264_ = x264_encoder_open(&p);
        EXPECT(x264_);
    }
    ~Coder()
    {
        x264_encoder_close(x264_);
    }
    Coder(const Coder &) = delete;
    Coder &operator=(const Coder &) = delete;

    // The first one stands alone, and those with `key`.
    std::string code(const Image &i, bool key = false)
    {
        x264_picture_t in, out;
        x264_nal_t *nal;
        int count;
        planes(i);
        x264_picture_init(&in);
        in.img.i_csp = look_.csp;
        in.img.i_plane = 3;
        for (int k = 0; k < 3; k++) {
            in.img.plane[k] = plane_[k].data();
            in.img.i_stride[k] = k > 0 && halved_x() ? w_ / 2 : w_;
        }
        in.i_pts = number_++;
        in.i_type = key || in.i_pts == 0 ? X264_TYPE_IDR : X264_TYPE_P;
        EXPECT(x264_encoder_encode(x264_, &nal, &count, &in, &out) > 0);
        std::string all;
        for (int k = 0; k < count; k++)
            all.append(reinterpret_cast<char *>(nal[k].p_payload), size_t(nal[k].i_payload));
        return all;
    }

  private:
    bool halved_x() const
    {
        return look_.csp != X264_CSP_I444;
    }
    bool halved_y() const
    {
        return look_.csp == X264_CSP_I420;
    }
    // The colours of a square of pixels, as the standard has them (ITU-T H.273).
    void colour(const Image &i, int x, int y, int w, int h, double out[3]) const
    {
        static const double red[] = {0.299, 0.299, 0.2126, 0.2627};
        static const double blue[] = {0.114, 0.114, 0.0722, 0.0593};
        double kr = red[int(look_.matrix)], kb = blue[int(look_.matrix)], sum[3] = {};
        for (int k = 0; k < w * h; k++)
            for (int c = 0; c < 3; c++)
                sum[c] += (i.at(x + k % w, y + k / w) >> (16 - 8 * c) & 255) / double(w * h);
        double l = kr * sum[0] + (1 - kr - kb) * sum[1] + kb * sum[2];
        out[0] = look_.full ? l : 16 + l * 219 / 255;
        double scale = look_.full ? 1 : 224.0 / 255;
        out[1] = 128 + (sum[2] - l) / (2 * (1 - kb)) * scale;
        out[2] = 128 + (sum[0] - l) / (2 * (1 - kr)) * scale;
    }
    void planes(const Image &i)
    {
        EXPECT(i.w == w_ && i.h == h_);
        int sx = halved_x() ? 2 : 1, sy = halved_y() ? 2 : 1;
        double c[3];
        auto round = [](double v) { return uint8_t(std::min(255.0, std::max(0.0, v + 0.5))); };
        plane_[0].resize(size_t(w_ * h_));
        plane_[1].resize(size_t(w_ / sx * (h_ / sy)));
        plane_[2].resize(plane_[1].size());
        for (int y = 0; y < h_; y++)
            for (int x = 0; x < w_; x++) {
                colour(i, x, y, 1, 1, c);
                plane_[0][size_t(y * w_ + x)] = round(c[0]);
            }
        for (int y = 0; y < h_ / sy; y++)
            for (int x = 0; x < w_ / sx; x++) {
                colour(i, x * sx, y * sy, sx, sy, c);
                plane_[1][size_t(y * (w_ / sx) + x)] = round(c[1]);
                plane_[2][size_t(y * (w_ / sx) + x)] = round(c[2]);
            }
    }

    Look look_;
    int w_, h_;
    x264_t *x264_;
    int64_t number_ = 0;
    std::vector<uint8_t> plane_[3];
};

inline std::string u32(uint32_t v)
{
    return {char(v >> 24), char(v >> 16), char(v >> 8), char(v)};
}

inline std::string u16(int v)
{
    return {char(v >> 8), char(v)};
}

// What follows the head of a rectangle.
inline std::string body(const std::string &stream, uint32_t flags = 0)
{
    return u32(uint32_t(stream.size())) + u32(flags) + stream;
}

// A FramebufferUpdate of one rectangle.
inline std::string update(int x, int y, int w, int h, int32_t encoding, const std::string &body)
{
    return std::string("\0\0\0\1", 4) + u16(x) + u16(y) + u16(w) + u16(h) +
           u32(uint32_t(encoding)) + body;
}

} // namespace h264
