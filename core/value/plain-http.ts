// Recognises addresses whose calls cross a network without encryption.

const loopback = /^(localhost|.+\.localhost|127(\.[0-9]+){3}|\[::1\])$/

/** True for http:// addresses of other machines. */
export function isPlainHttp(address: string): boolean {
  const { protocol, hostname } = URL.parse(address) ?? { protocol: '', hostname: '' }
  return protocol === 'http:' && !loopback.test(hostname)
}
