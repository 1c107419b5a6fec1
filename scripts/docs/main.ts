// Writes the generated pages of docs/, or says which of them are not what they would be.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorsMarkdown } from '../../server/openapi/errors-page.js'
import { agentsYamlPage } from './agents-yaml-page.js'
import { diagnosticsPage } from './diagnostics-page.js'
import { rulesPage } from './rules-page.js'
import { serverPage } from './server-page.js'

/** Functions that make pages, by path below the root. */
export const pages: Readonly<Record<string, (root: string) => Promise<string>>> = {
  'docs/agents-yaml.md': agentsYamlPage,
  'docs/diagnostics.md': diagnosticsPage,
  'docs/rules.md': rulesPage,
  'docs/document-server.md': serverPage,
  'docs/errors.md': async () => errorsMarkdown(),
}

/** Makes the pages and returns the exit code. */
export async function makeDocs(root: string, isCheck: boolean): Promise<number> {
  let stale = 0
  for (const [path, make] of Object.entries(pages)) {
    const made = await make(root)
    if (!isCheck) writeFileSync(join(root, path), made)
    else if (readFileSync(join(root, path), 'utf8') !== made) {
      stale++
      console.error(`${path} is not up to date: run "npm run docs".`)
    }
  }
  return stale === 0 ? 0 : 1
}
