// A JPEG that is damaged, or coded in a way that is not read here.
export class JpegError extends Error {}
