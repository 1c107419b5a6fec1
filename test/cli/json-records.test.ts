// docs/json.md documents every record that the program prints.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'

const root = new URL('../../', import.meta.url).pathname

t.test('every record is documented in docs/json.md', async (t) => {
  const documented = readFileSync(join(root, 'docs/json.md'), 'utf8')
  const folder = join(root, 'cli')
  const found = new Set<string>()
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.name.endsWith('.ts')) continue
    const text = readFileSync(join(entry.parentPath, entry.name), 'utf8')
    if (!/record|Record/.test(text)) continue
    for (const [, type = ''] of text.matchAll(/(?:record\(|=> \(|return |\[|\n\s+)\{\s*type: '(\w+)'/g)) found.add(type)
  }
  t.ok(found.size > 20, `${found.size} records`)
  const [records = '', commands = ''] = documented.split('## The others')
  const listed = new Set([...wordsInCell(records, 1), ...wordsInCell(commands, 2)])
  const missing = [...found].filter((type) => !listed.has(type))
  t.same(missing, [])
})

/** Words in the code spans of one column of the tables. */
function wordsInCell(text: string, column: number): readonly string[] {
  const cells = text.split('\n').flatMap((line) => (line.startsWith('|') ? (line.split('|')[column] ?? []) : []))
  return cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, word = '']) => word))
}
