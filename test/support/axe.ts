// Judge of pages for people with disabilities.
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

interface Violation {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly { readonly html: string }[]
}

/** Returns what axe complains of seriously. It is a script of its own, so the window needs `bypassCSP`. */
export async function seriousProblems(page: Page): Promise<readonly string[]> {
  await page.addScriptTag({ path: axe })
  const { violations } = (await page.evaluate('axe.run()')) as { readonly violations: readonly Violation[] }
  return violations
    .filter(({ impact }) => ['serious', 'critical'].includes(impact))
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`)
}
