// Rules of memory stores, skills, files, and of the metadata of every kind.
import { agent, type Case, deployment, type Name, pairs, times } from './case.js'

const entry = (key: string, content = 'x') => ({ entries: [{ key, content }] })
const steps = (count: number) => times(count, () => 'n').join('/')
const textMetadata = '2.8 metadata of a memory store is text'
const plainPaths = '2.8 memory stores keep short texts under plain paths, and strings as metadata'

export const stores: readonly Case[] = [
  {
    kind: 'memory_store',
    on: {
      ark: [textMetadata, 'memory-store-metadata'],
      claude: [plainPaths, 'memory-store-metadata'],
      qoder: [textMetadata, 'memory-store-metadata-not-text'],
    },
    passes: [{}, { metadata: { team: 'platform' } }],
    fails: [[{ metadata: { team: 'platform', tier: 2, tags: ['a'] } }, 'metadata.tier', 'metadata.tags']],
  },
  {
    kind: 'memory_store',
    on: {
      ark: ['2.8 a memory holds 102400 bytes and a store 2000 memories', 'memory-store-too-large'],
      bailian: ['2.8 memories and names of stores have limits', 'memory-store-limits'],
      claude: [plainPaths, 'memory-store-limits'],
      qoder: ['2.8 an entry of a memory store has at most 100 KiB', 'memory-store-entry-too-large'],
    },
    passes: [entry('a', 'x'.repeat(102_400)), entry('a', 'ä'.repeat(51_200))],
    fails: [
      [entry('a', 'ä'.repeat(51_201)), 'entries.0.content'],
      [entry('a', `${'x'.repeat(102_399)}é`), 'entries.0.content'],
    ],
  },
  {
    kind: 'memory_store',
    on: { ark: ['2.8 a memory holds 102400 bytes and a store 2000 memories', 'memory-store-too-large'] },
    passes: [{ entries: times(2000, (index) => ({ key: `k${index}`, content: 'x' })) }],
    fails: [[{ entries: times(2001, (index) => ({ key: `k${index}`, content: 'x' })) }, 'entries']],
  },
  {
    kind: 'memory_store',
    on: {
      bailian: ['2.8 memories and names of stores have limits', 'memory-store-limits'],
      claude: [plainPaths, 'memory-store-limits'],
    },
    passes: [{ name: 'x'.repeat(255) }],
    fails: [[{ name: 'x'.repeat(256) }, 'name']],
  },
  {
    kind: 'memory_store',
    on: { bailian: ['2.8 memories and names of stores have limits', 'memory-store-limits'] },
    passes: [entry('x'.repeat(1_023)), entry(`/${'x'.repeat(1_023)}`, '')],
    fails: [[entry('x'.repeat(1_024), ''), 'entries.0.key']],
  },
  {
    kind: 'memory_store',
    on: { claude: [plainPaths, 'memory-store-limits'] },
    passes: [{ description: 'd'.repeat(1_024) }],
    fails: [[{ description: 'd'.repeat(1_025) }, 'description']],
  },
  {
    kind: 'memory_store',
    on: { claude: [plainPaths, 'memory-path'] },
    passes: [entry('notes/style.md'), entry(steps(20)), entry('p'.repeat(1_023))],
    fails: [
      ...[steps(21), 'p'.repeat(1_024), 'a/../b', './a', 'a//b', 'a/', 'u\u0308.md'].map(
        (key) => [entry(key), 'entries.0.key'] as const,
      ),
      [{ entries: [...entry('a/b').entries, ...entry('/a').entries] }, 'entries.1.key'],
    ],
  },
  {
    kind: 'skill',
    on: {
      ark: ['2.9 a folder does not become an official skill', 'skill-origin', 'warning'],
      bailian: ['2.9 a folder cannot be an official skill', 'skill-origin', 'warning'],
      claude: ['fields that are not sent are reported', 'skill-origin', 'warning'],
      qoder: ['2.9 official skills are not declared', 'skill-official'],
    },
    passes: [{ source: './review' }, { source: './review', origin: 'custom' }],
    fails: [[{ source: './review', origin: 'official' }, 'origin']],
  },
  {
    kind: 'skill',
    on: {
      ark: ['2.9 a declared description of a skill is not sent, which a warning reports', 'skill-description', 'note'],
      bailian: ['a description of a skill gets a note', 'field-not-sent', 'note'],
      claude: ['fields that are not sent are reported', 'field-not-sent', 'note'],
      qoder: [
        '2.9 description and version of a skill are in SKILL.md, which a warning reports',
        'skill-field-ignored',
        'note',
      ],
    },
    passes: [{ source: './review' }],
    fails: [[{ source: './review', description: 'Reviews' }, 'description']],
  },
  {
    kind: 'skill',
    on: {
      ark: ['2.9 a declared version of a skill is not sent, which a warning reports', 'skill-version', 'warning'],
      bailian: ['a version of a skill gets a warning', 'field-not-sent', 'warning'],
      claude: ['fields that are not sent are reported', 'field-not-sent', 'warning'],
      qoder: [
        '2.9 description and version of a skill are in SKILL.md, which a warning reports',
        'skill-field-ignored',
        'warning',
      ],
    },
    passes: [{ source: './review' }],
    fails: [[{ source: './review', version: '1' }, 'version']],
  },
  {
    kind: 'skill',
    on: { qoder: ['2.9 a skill has at most 50 MB', 'skill-too-large'] },
    passes: [{ source: 'exact' }, { source: 'unknown' }],
    fails: [[{ source: 'over' }, 'source']],
  },
  {
    kind: 'file',
    on: {
      bailian: ['a purpose of a file gets a warning', 'field-not-sent', 'warning'],
      claude: ['fields that are not sent are reported', 'field-not-sent', 'warning'],
    },
    passes: [{ source: 's' }],
    fails: [[{ source: 's', purpose: 'agent' }, 'purpose']],
  },
  {
    kind: 'file',
    on: { ark: ['2.10 the purpose of a file is agent or user_data', 'file-purpose'] },
    passes: [{ source: 'a' }, { source: 'a', purpose: 'agent' }, { source: 'a', purpose: 'user_data' }],
    fails: [[{ source: 'a', purpose: 'fine-tune' }, 'purpose']],
  },
  {
    kind: 'file',
    on: { qoder: ['2.10 the forward API has two purposes of files', 'file-purpose'] },
    api: 'forward',
    passes: [{ source: 'a' }, { source: 'a', purpose: 'user_upload' }, { source: 'a', purpose: 'session_resource' }],
    fails: [[{ source: 'a', purpose: 'agent' }, 'purpose']],
  },
  {
    kind: 'file',
    on: { qoder: ['2.10 the managed API takes any purpose', 'file-purpose'] },
    passes: [{ source: 'a', purpose: 'agent' }],
    fails: [],
  },
]

const bodies: Readonly<Record<string, object>> = {
  agent: agent(),
  deployment: deployment(),
  identity: { external_id: 'u1' },
}

/** Rules of the metadata of a kind, in which there is room for `room` entries beside the marks. */
function metadata(provider: Name, kind: string, room: number, title: readonly string[], codes: readonly string[]) {
  const body = (entries: object) => ({ ...bodies[kind], metadata: entries })
  const many: Case = {
    kind,
    on: { [provider]: [title[0], codes[0]] },
    passes: [{ ...bodies[kind] }, body(pairs(room))],
    fails: [[body(pairs(room + 1)), 'metadata']],
  }
  const long: Case = {
    kind,
    on: { [provider]: [title[1] ?? title[0], codes[1] ?? codes[0]] },
    passes: [body({ ['k'.repeat(64)]: 'v'.repeat(512) })],
    fails: [
      [body({ ['k'.repeat(65)]: 'v' }), `metadata.${'k'.repeat(65)}`],
      [body({ k: 'v'.repeat(513) }), 'metadata.k'],
    ],
  }
  return [many, long]
}

/** Entries beside the marks on Qoder, which has a rule for each kind. */
const roomOnQoder = { memory_store: 13, environment: 14, vault: 14, agent: 14, identity: 16, deployment: 14 }

export const metadataOfKinds: readonly Case[] = [
  ...metadata('ark', 'agent', 14, ['metadata of an agent leaves room for the two marks'], ['metadata-limits']),
  ...['environment', 'vault', 'agent', 'deployment'].flatMap((kind) =>
    metadata(
      'bailian',
      kind,
      14,
      [`metadata of a ${kind} leaves room for the two ownership marks`],
      ['metadata-limits'],
    ),
  ),
  ...['environment', 'vault', 'agent', 'deployment', 'memory_store'].flatMap((kind) =>
    metadata('claude', kind, 14, ['metadata has room for fourteen entries beside the two marks'], ['metadata-limits']),
  ),
  ...Object.entries(roomOnQoder).flatMap(([kind, room]) =>
    metadata(
      'qoder',
      kind,
      room,
      [`8 a ${kind} has at most ${room} metadata keys of its own`, `metadata keys and values of a ${kind} are limited`],
      ['too-many', 'too-long'].map((what) => `${kind.replace('_', '-')}-metadata-${what}`),
    ),
  ),
]
