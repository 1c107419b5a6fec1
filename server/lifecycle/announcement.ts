// What `server.json` of a data folder says, and the proof in it. Whoever made a folder can write any address into it, so a client
// sends a token to the address only if the file proves that its writer knew the token.
import { scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { nodeHost } from '../../core/ports/node-host.js'

export interface Addresses {
  /** Address for programs on this machine. */
  readonly url: string
  /** Address for everybody else. */
  readonly publicUrl: string | undefined
}

export interface Announcement extends Addresses {
  readonly pid: number
  /** Start of the process (`Host.processStart`), so that the file of a server that has ended proves nothing. */
  readonly started: string
  /** One for each accepted API token: see `proofOf`. */
  readonly proofs: readonly string[]
}

/** The file before anything of it is believed; that of another program may lack any member. */
const Unproven = Type.Object({
  url: Type.String(),
  publicUrl: Type.Optional(Type.String()),
  pid: Type.Integer({ minimum: 1 }),
  started: Type.Optional(Type.String()),
  proofs: Type.Optional(Type.Array(Type.String(), { maxItems: 100 })),
})
const validator = Compile(Unproven)

/** Returns undefined for a text that is no announcement. Nothing in it is proven. */
export function readAnnouncement(text: string): Announcement | undefined {
  const value: unknown = parsed(text)
  if (!validator.Check(value)) return undefined
  const { url, publicUrl, pid, started = '', proofs = [] } = value
  return { url, publicUrl, pid, started, proofs }
}

export async function announcementOf(addresses: Addresses, apiTokens: readonly string[]): Promise<Announcement> {
  const started = (await nodeHost.processStart(process.pid)) ?? ''
  const statement = { ...addresses, pid: process.pid, started }
  const proofs = await Promise.all(apiTokens.map(async (token) => (await proofOf(statement, token)).toString('hex')))
  return { ...statement, proofs }
}

/** True while the process that wrote the announcement runs, as far as the system tells. */
export async function isRunning({ pid, started }: Announcement): Promise<boolean> {
  const now = await nodeHost.processStart(pid)
  if (now === null) return false
  return now === '' || started === '' || now === started
}

/** True if a server that accepts this token wrote the announcement. */
export async function isProven(announcement: Announcement, apiToken: string): Promise<boolean> {
  const proof = await proofOf(announcement, apiToken)
  return announcement.proofs.some((text) => {
    const given = Buffer.from(text, 'hex')
    return given.length === proof.length && timingSafeEqual(given, proof)
  })
}

/** A slow hash, because an operator may have chosen a token that can be guessed. */
function proofOf(statement: Omit<Announcement, 'proofs'>, apiToken: string): Promise<Buffer> {
  const { url, publicUrl = null, pid, started } = statement
  return derive(apiToken, JSON.stringify(['server.json', url, publicUrl, pid, started]), 32)
}

const derive = promisify<string, string, number, Buffer>(scrypt)

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The file is being written, or is not ours.
    return undefined
  }
}
