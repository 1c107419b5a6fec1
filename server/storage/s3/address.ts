// Address of an S3-compatible storage: `s3://bucket/prefix?endpoint=…&region=…&pathStyle=true&publicEndpoint=…`.
// Credentials come from the environment, files or roles of the machine, never from the address.

export interface S3Address {
  readonly bucket: string
  /** Prefix of all keys: empty, or with a slash at the end. */
  readonly prefix: string
  /** URL of the storage; undefined = AWS. */
  readonly endpoint: string | undefined
  /** URL under which clients reach the storage; undefined = `endpoint`. */
  readonly publicEndpoint: string | undefined
  readonly region: string | undefined
  /** True if the bucket is the first segment of the path, not of the host. */
  readonly isPathStyle: boolean
}

/** The address cannot be used; the message does not contain it. */
export class S3AddressUnfit extends Error {
  override readonly name = 'S3AddressUnfit'
}

/** First segments of keys: the files of a prefix with one would be below those of a shorter prefix. */
const reservedNames: ReadonlySet<string> = new Set(['blobs', 'deployments', 'probes'])

const parameters: ReadonlySet<string> = new Set(['endpoint', 'publicEndpoint', 'region', 'pathStyle'])

/** Throws `S3AddressUnfit`. */
export function parseAddress(address: string): S3Address {
  const url = parsed(address, 'the address')
  if (url.protocol !== 's3:' || url.host === '') throw new S3AddressUnfit('It is not of the form s3://bucket/prefix.')
  for (const name of url.searchParams.keys()) {
    if (!parameters.has(name)) {
      throw new S3AddressUnfit(
        `The parameter ${JSON.stringify(name)} is unknown; known are ${[...parameters].join(', ')}.`,
      )
    }
  }
  const pathStyle = url.searchParams.get('pathStyle') ?? 'false'
  if (pathStyle !== 'true' && pathStyle !== 'false') throw new S3AddressUnfit('pathStyle must be true or false.')
  const endpoint = endpointOf(url, 'endpoint')
  const segments = url.pathname.split('/').filter((segment) => segment !== '')
  if (!segments.every((segment) => /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/.test(segment))) {
    throw new S3AddressUnfit('The prefix may have letters, digits, "-", "_", "." and "/".')
  }
  const reserved = segments.find((segment) => reservedNames.has(segment))
  if (reserved !== undefined) {
    throw new S3AddressUnfit(
      `The prefix may not contain "${reserved}", a name that other deployments keep files under.`,
    )
  }
  return {
    bucket: url.host,
    prefix: segments.map((segment) => `${segment}/`).join(''),
    endpoint,
    publicEndpoint: endpointOf(url, 'publicEndpoint') ?? endpoint,
    // Other storages than AWS rarely have regions, but signatures name one.
    region: url.searchParams.get('region') ?? (endpoint === undefined ? undefined : 'us-east-1'),
    isPathStyle: pathStyle === 'true',
  }
}

function endpointOf({ searchParams }: URL, name: string): string | undefined {
  const value = searchParams.get(name)
  if (value === null) return undefined
  const { protocol, origin, pathname } = parsed(value, name)
  if (protocol !== 'http:' && protocol !== 'https:') throw new S3AddressUnfit(`${name} must be an http or https URL.`)
  return `${origin}${pathname === '/' ? '' : pathname}`
}

function parsed(text: string, name: string): URL {
  if (!URL.canParse(text)) throw new S3AddressUnfit(`${name} is not a URL.`)
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') {
    throw new S3AddressUnfit(
      `${name} contains credentials. Give them as AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, in a credentials file or as a role.`,
    )
  }
  return url
}
