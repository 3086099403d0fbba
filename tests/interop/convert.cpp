// Prints the grammar of the JSON Schema on standard input, by llama.cpp's own converter.
#include "json-schema-to-grammar.h"
#include <cstdlib>
#include <iostream>
#include <iterator>

// The only functions of the rest of llama.cpp that the converter calls.
std::string string_join(const std::vector<std::string> & parts, const std::string & separator) {
    std::string text;
    for (size_t i = 0; i < parts.size(); i++) text += (i > 0 ? separator : "") + parts[i];
    return text;
}

std::vector<std::string> string_split(const std::string & text, const std::string & separator) {
    std::vector<std::string> parts;
    size_t start = 0;
    for (size_t end; (end = text.find(separator, start)) != std::string::npos; start = end + separator.size())
        parts.push_back(text.substr(start, end - start));
    parts.push_back(text.substr(start));
    return parts;
}

std::string string_repeat(const std::string & text, size_t count) {
    std::string repeated;
    while (count-- > 0) repeated += text;
    return repeated;
}

extern "C" void ggml_abort(const char *, int, const char *, ...) { std::abort(); }

int main() {
    const std::string text((std::istreambuf_iterator<char>(std::cin)), std::istreambuf_iterator<char>());
    try {
        std::cout << json_schema_to_grammar(common_json::parse(text), true);
        return 0;
    } catch (const std::exception & error) {
        std::cerr << error.what();
        return 1;
    }
}
