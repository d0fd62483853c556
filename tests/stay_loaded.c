/* Part of a program that is built with a sanitizer: libraries that it has loaded stay loaded.
 *
 * LeakSanitizer looks for pointers when the program ends. It does not see those of a library that
 * was unloaded before, such as a graphics driver (Mesa's swrast_dri.so), and calls what they lead
 * to a leak. Which memory that is depends on chance.
 */
int dlclose(void *library);

int dlclose(void *library)
{
    (void)library;
    return 0;
}
