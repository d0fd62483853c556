/* Certificates of a real server that are wrong in every way: none is accepted without a question,
 * and none is remembered. What is said of each is in tests/unit/test_certificate.cpp. */
#include "attacked.hpp"
#include "tests/catch.hpp"
#include "tests/e2e/servers.hpp"

using namespace e2e;

namespace
{

bool openssl(std::vector<std::string> arguments)
{
    Command c;
    c.argv = std::move(arguments);
    c.argv.insert(c.argv.begin(), "openssl");
    return run(c).status == 0;
}

/* A way to make cert.pem and key.pem in a folder. False: this openssl does not make such ones. */
struct Wrong {
    const char *name;
    std::vector<std::string> more; /* further arguments of openssl req -x509 */
};

bool make(const TempDir &dir, const Wrong &wrong)
{
    std::vector<std::string> arguments = {"req",     "-x509",
                                          "-nodes",  "-utf8",
                                          "-keyout", dir.file("key.pem"),
                                          "-out",    dir.file("cert.pem")};
    arguments.insert(arguments.end(), wrong.more.begin(), wrong.more.end());
    return openssl(arguments);
}

std::string names(int count)
{
    std::string all = "subjectAltName=DNS:n0.example";
    for (int i = 1; i < count; i++)
        all += ",DNS:n" + std::to_string(i) + ".example";
    return all;
}

const std::vector<std::string> EC = {"-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"};

std::vector<std::string> ec(std::vector<std::string> more)
{
    more.insert(more.begin(), EC.begin(), EC.end());
    return more;
}

} // namespace

TEST_CASE("attack: certificates that are wrong", "[attack-certificates]")
{
    const Wrong all[] = {
        {"for nobody", ec({"-subj", "/"})},
        {"for somebody else", ec({"-subj", "/CN=other.example"})},
        {"for all", ec({"-subj", "/CN=*", "-addext", "subjectAltName=DNS:*"})},
        {"with a name that deceives", ec({"-subj", "/CN=127.0.0.1\xe2\x80\xae\x1b[31m\x07"})},
        {"with a long name",
         ec({"-subj", "/O=" + std::string(60, 'o') + "/OU=" + std::string(60, 'u')})},
        {"with a thousand names", ec({"-subj", "/CN=many", "-addext", names(1000)})},
        {"that is no server's",
         ec({"-subj", "/CN=127.0.0.1", "-addext", "extendedKeyUsage=clientAuth"})},
        {"that has ended", ec({"-subj", "/CN=127.0.0.1", "-days", "-1"})},
        {"with a critical extension that nobody knows",
         ec({"-subj", "/CN=127.0.0.1", "-addext", "1.2.3.4=critical,DER:0500"})},
        {"of a short key", {"-newkey", "rsa:1024", "-subj", "/CN=127.0.0.1"}},
        {"of an old digest", {"-newkey", "rsa:2048", "-sha1", "-subj", "/CN=127.0.0.1"}},
        {"of a large key", {"-newkey", "rsa:8192", "-subj", "/CN=127.0.0.1"}},
    };
    int tried = 0;
    for (const Wrong &wrong : all) {
        INFO(wrong.name);
        TempDir dir;
        if (!installed("openssl") || !installed("Xvnc"))
            return;
        if (!make(dir, wrong))
            continue;
        XvncOptions x = with_certificate(dir);
        x.with_screen = false;
        auto server = start_tigervnc(x);
        if (!server)
            return;
        Attacked a = attack(server->address);
        INFO(a.err);
        check_unharmed(a, picture_mb(x.width, x.height));
        CHECK(a.status == 1);
        CHECK(a.err.find("vnchl: ") == 0);
        CHECK_FALSE(a.remembered);
        tried++;
    }
    CHECK(tried >= 8);
}
