// Emulated skills: uploaded and read by id. There is no list, update or deletion.
import { strFromU8, type Unzipped, unzipSync } from 'fflate'
import { type Static, Type } from 'typebox'
import { parse } from 'yaml'
import { isObject } from '../../../core/value/tree.js'
import {
  type Collection,
  type EmulatedRequest,
  type EmulatorContext,
  type Route,
  refuse,
  route,
  seeding,
} from '../../emulator/contract.js'
import type { StoredObject } from '../../emulator/store.js'
import { newId } from './objects.js'
import { usualRoutes } from './routes.js'
import { Exact, withoutEmpty } from './schema.js'

const mebibyte = 1024 * 1024
export const skillLimits = { archiveBytesMax: 30 * mebibyte, unpackedBytesMax: 120 * mebibyte, filesMax: 500 } as const

const Upload = Exact({ display_title: Type.Optional(Type.String({ minLength: 1 })) })

const Seed = Exact({ name: Type.String({ minLength: 1 }), description: Type.Optional(Type.String()) })

export const skills: Collection = {
  kind: 'skill',
  isTopLevel: true,
  isPermanent: true,
  seeding: seeding({ schema: Seed, defaults: { name: 'seeded' }, create: insert }),
}

export const skillRoutes: readonly Route[] = [
  ...usualRoutes({ path: '/skills', collection: 'skills', verbs: ['read'] }),
  route({
    method: 'POST',
    path: '/skills',
    isForm: true,
    body: Upload,
    handle: (request) => ({ body: create(request).body }),
  }),
]

function create(request: EmulatedRequest<Static<typeof Upload>>): StoredObject {
  return insert(request, { ...packageIn(request), display_title: request.body.display_title })
}

interface NewSkill {
  readonly name: string
  readonly description?: string | undefined
  readonly display_title?: string | undefined
}

function insert(context: EmulatorContext, skill: NewSkill, wantedId?: string): StoredObject {
  const id = wantedId ?? newId(context, 'skill')
  const nowS = Math.floor(context.nowMs / 1000)
  return context.store.insert({
    id,
    collection: 'skills',
    createdAtMs: context.nowMs,
    body: withoutEmpty({
      id,
      object: 'skill',
      ...skill,
      source: 'custom',
      latest_version: '1',
      created_at: nowS,
      updated_at: nowS,
    }),
  })
}

/** Reads the package: one archive with one folder that directly contains SKILL.md. */
function packageIn({ files }: EmulatedRequest): NewSkill {
  const [archive, ...more] = files
  if (archive?.field !== 'files' || more.length > 0) throw refuseFiles('one zip archive is required')
  if (archive.bytes.length > skillLimits.archiveBytesMax) throw refuseFiles('the archive is too large')
  const entries = Object.entries(unpacked(archive.bytes)).filter(([path]) => !path.endsWith('/'))
  if (entries.length > skillLimits.filesMax) throw refuseFiles(`more than ${skillLimits.filesMax} files`)
  if (entries.reduce((sum, [, { length }]) => sum + length, 0) > skillLimits.unpackedBytesMax)
    throw refuseFiles('the unpacked files are too large')
  const folders = new Set(entries.map(([path]) => path.split('/')[0]))
  const manuals = entries.filter(([path]) => /^[^/]+\/SKILL\.md$/.test(path))
  const [manual] = manuals
  if (folders.size !== 1 || manuals.length !== 1 || !manual)
    throw refuseFiles('the archive must hold one top folder with one SKILL.md directly in it')
  const header = frontMatter(strFromU8(manual[1]))
  return {
    name: typeof header['name'] === 'string' ? header['name'] : (manual[0].split('/')[0] ?? ''),
    description: typeof header['description'] === 'string' ? header['description'] : undefined,
  }
}

function unpacked(bytes: Uint8Array): Unzipped {
  try {
    return unzipSync(bytes)
  } catch {
    throw refuseFiles('not a zip archive')
  }
}

function frontMatter(text: string) {
  const header = /^---\r?\n([\s\S]*?)\r?\n---/.exec(text)?.[1]
  if (header === undefined) return {}
  try {
    const parsed: unknown = parse(header)
    return isObject(parsed) ? parsed : {}
  } catch {
    throw refuseFiles('the front matter of SKILL.md is not YAML')
  }
}

function refuseFiles(message: string) {
  return refuse('invalid', `files: ${message}`, { param: 'files' })
}
