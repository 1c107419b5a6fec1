// Settings of a document server: one schema, read from flags, environment and a file, in this order of precedence. A
// setting `documentBytesMax` is `--document-bytes-max`, `STEWARD_SERVE_DOCUMENT_BYTES_MAX` and `documentBytesMax:` in
// YAML.
import { type Static, Type } from 'typebox'
import { isAddressRange } from './addresses.js'
import type { ConnectionsSettings } from './connections.js'

const megabyte = 1024 * 1024

/** Default data folder; local programs also look for a running server there. */
export const dataDefault = './steward-data'

const AddressRange = Type.Refine(Type.String(), isAddressRange, () => 'must be an address range such as 10.1.0.0/16')

export const Settings = Type.Object(
  {
    host: Type.String({ default: '127.0.0.1', description: 'Address to listen on.' }),
    port: Type.Integer({
      default: 4780,
      minimum: 0,
      maximum: 65_535,
      description: 'Port to listen on; 0 is any free one.',
    }),
    data: Type.String({
      default: dataDefault,
      minLength: 1,
      description: 'Folder everything is kept in; made when missing.',
    }),
    store: Type.Optional(
      Type.String({
        pattern: '^postgres(ql)?://',
        description: 'PostgreSQL database that holds the rows. Default: an embedded one in the data folder.',
      }),
    ),
    blobs: Type.Optional(
      Type.String({
        pattern: '^s3://',
        description: 'S3-compatible storage that holds the files, as s3://bucket/prefix. Default: the data folder.',
      }),
    ),
    blobCacheBytes: Type.Integer({
      default: 8192 * megabyte,
      minimum: 64 * megabyte,
      description: 'Local copies of files of an S3-compatible storage take this much of the disk, in bytes.',
    }),
    redis: Type.Optional(
      Type.String({
        pattern: '^rediss?://',
        description: 'Redis that several processes share their leases, wake-ups and rate limits through.',
      }),
    ),
    publicUrl: Type.Optional(
      Type.String({
        pattern: '^https?://',
        description: 'How clients reach the server, where a proxy stands before it.',
      }),
    ),
    trustProxy: Type.Boolean({
      default: false,
      description: 'Take the last address of X-Forwarded-For, which a proxy in front wrote, for that of the client.',
    }),
    drainSeconds: Type.Integer({
      default: 0,
      minimum: 0,
      maximum: 600,
      description: 'Seconds between /readyz turning 503 and the end, for a balancer to notice.',
    }),
    threads: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 64,
        description: 'Worker threads for PDF work. Default: one for each core.',
      }),
    ),
    processes: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 32,
        description: 'Processes that answer requests; they share the threads. Default: one for each four cores.',
      }),
    ),
    documentBytesMax: Type.Integer({
      default: 512 * megabyte,
      minimum: megabyte,
      description: 'Largest document taken, in bytes.',
    }),
    tenantBytesMax: Type.Integer({
      default: 1024 * 1024 * megabyte,
      minimum: 0,
      description:
        'Bytes that one tenant may store: files, edits, their history, and announced uploads; 0 is unlimited.',
    }),
    shareBytesMax: Type.Integer({
      default: 1024 * megabyte,
      minimum: 0,
      description: 'Bytes that all visitors of one share may add to its document; 0 is unlimited.',
    }),
    tokenBytesMax: Type.Integer({
      default: 8192 * megabyte,
      minimum: 0,
      description: 'Bytes that one document token may add to its document; 0 is unlimited.',
    }),
    pixelsMax: Type.Integer({
      default: 40_000_000,
      minimum: 10_000,
      maximum: 400_000_000,
      description: 'Largest picture drawn, in pixels.',
    }),
    importAllow: Type.Array(AddressRange, {
      default: [],
      description: 'Address ranges (CIDR) that imports by URL may reach although they are not public.',
    }),
    importHttp: Type.Boolean({ default: false, description: 'Let imports use http:// as well as https://.' }),
    webhookAllow: Type.Array(AddressRange, {
      default: [],
      description: 'Address ranges (CIDR) that webhooks may reach although they are not public.',
    }),
    webhookHttp: Type.Boolean({ default: false, description: 'Let webhooks use http:// as well as https://.' }),
    trustRoots: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'Folder of the certificates (PEM or DER) that signers are trusted by. Default: none are trusted.',
      }),
    ),
    tokenPublicKey: Type.Optional(
      Type.String({ description: 'PEM file of the public key tokens are verified with. Then this server mints none.' }),
    ),
    tokenJwks: Type.Optional(
      Type.String({ description: 'JWKS (https URL or file) tokens are verified with. Then this server mints none.' }),
    ),
    tokenIssuer: Type.Optional(
      Type.String({ minLength: 1, description: 'What tokens must name as `iss`, where somebody else mints them.' }),
    ),
    tokenAudience: Type.Optional(
      Type.String({ minLength: 1, description: 'What tokens must name in `aud`, where somebody else mints them.' }),
    ),
    tokenRevocation: Type.Boolean({ default: true, description: 'Let tokens be revoked before they expire.' }),
    logLevel: Type.Enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent'], {
      default: 'info',
      description: 'Least important log lines to write, to stderr.',
    }),
  },
  { additionalProperties: false },
)

export interface Config extends Static<typeof Settings> {
  /** Storages that documents may be imported from, by name; only in the file. */
  readonly connections: ConnectionsSettings
}
export type SettingName = keyof Static<typeof Settings>

/** Returns the flag of a setting: `documentBytesMax` -> `document-bytes-max`. */
export const flagOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** Returns the variable of a setting: `documentBytesMax` -> `STEWARD_SERVE_DOCUMENT_BYTES_MAX`. */
export const environmentNameOf = (name: string): string =>
  `STEWARD_SERVE_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`
