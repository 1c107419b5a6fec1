// The code that CONTRIBUTING.md shows of the document server is the code that is there.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'

const root = new URL('../../', import.meta.url).pathname
const files = readdirSync(join(root, 'workers'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => readFileSync(join(root, 'workers', path), 'utf8'))

const blocks = [...readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8').matchAll(/^( *)```ts\n(.*?)^ *```$/gms)]
  .map(([, indent = '', code = '']) => code.replaceAll(new RegExp(`^${indent}`, 'gm'), '').trim())
  .filter((code) => /^export const /.test(code) && !code.includes('…'))

t.ok(blocks.length >= 5, `${blocks.length} examples`)

for (const block of blocks)
  t.test(block.slice(0, block.indexOf('\n')), async (t) => {
    t.ok(
      files.some((text) => text.includes(block)),
      `no file has:\n${block}`,
    )
  })
