// Builds a next release of the product: this one with another format of rows. In it the document row has a member of
// another name, and the index rows of public ids have one more.
import { cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('../../', import.meta.url))

const table = `
const renamed = (row, from, to) =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name === from ? to : name, value]))
export const rowFormats = [{
  document: {
    upgrade: (row) => renamed(row, 'storedBytes', 'heldBytes'),
    downgrade: (row) => renamed(row, 'heldBytes', 'storedBytes'),
  },
  'document-id': {
    upgrade: (row) => ({ ...row, kept: true }),
    downgrade: ({ kept, ...row }) => row,
  },
}]
`

/** Changes of the sources, by the end of the path. */
const edits: readonly (readonly [path: RegExp, from: RegExp, to: string])[] = [
  [/server\/.*\.ts$/, /\bstoredBytes\b/g, 'heldBytes'],
  [
    /server\/rows\/pointers\.ts$/,
    /(DocumentPointer = )(.*)$/m,
    '$1Type.Object({ tenant: Type.String(), document: Type.String(), kept: Type.Optional(Type.Boolean()) })',
  ],
  [
    /server\/storage\/row-kinds\.ts$/,
    /documentIds\.entry\(\[id\], \{ tenant, document \}\)/,
    'documentIds.entry([id], { tenant, document, kept: true })',
  ],
]

function edited(path: string): string {
  if (path.endsWith('server/storage/row-format-table.ts')) return table
  let text = readFileSync(path, 'utf8')
  for (const [where, from, to] of edits) if (where.test(path)) text = text.replace(from, to)
  return text
}

/** Returns the folder with the modules of the next release, by the names of `entries`. */
export async function buildNextRelease(
  t: { teardown(end: () => unknown): void },
  entries: Readonly<Record<string, string>>,
): Promise<string> {
  // Below node_modules, where the packages of the product are found.
  const folder = join(root, 'node_modules/.steward', `next-${process.pid}`)
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'dist'), { recursive: true })
  const copies = ['package.json', 'dist/worker-thread.js', 'dist/pages', 'dist/prepared']
  for (const name of copies) cpSync(join(root, name), join(folder, name), { recursive: true })
  await build({
    absWorkingDir: root,
    entryPoints: { ...entries },
    outdir: join(folder, 'dist'),
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    plugins: [
      {
        name: 'next-release',
        setup({ onLoad }) {
          onLoad({ filter: /\/server\/.*\.ts$/ }, ({ path }) => ({ contents: edited(path), loader: 'ts' }))
        },
      },
    ],
  })
  return join(folder, 'dist')
}
