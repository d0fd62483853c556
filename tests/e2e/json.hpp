/* Reading the JSON that programs wrote. */
#pragma once

#include <cjson/cJSON.h>

#include <memory>
#include <sstream>
#include <string>

#include "tests/catch.hpp"

namespace e2e
{

using Json = std::unique_ptr<cJSON, void (*)(cJSON *)>;

inline Json parse(const std::string &text)
{
    return Json(cJSON_Parse(text.c_str()), cJSON_Delete);
}

/* The number at "key.key"; a failed check when there is none. */
inline double number(const cJSON *object, const std::string &path)
{
    std::istringstream parts(path);
    std::string part;
    while (object && std::getline(parts, part, '.'))
        object = cJSON_GetObjectItemCaseSensitive(object, part.c_str());
    INFO(path);
    CHECK(cJSON_IsNumber(object));
    return cJSON_IsNumber(object) ? object->valuedouble : -1;
}

} // namespace e2e
