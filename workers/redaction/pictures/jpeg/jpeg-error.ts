// Error for a JPEG that is damaged, or coded in a way that is not supported.
export class JpegError extends Error {}
