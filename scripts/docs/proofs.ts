// Finds the test files that prove each rule, by the numbers in front of test titles.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { rules } from './rules.js'

/** Matches a text that begins with numbers of rules: `'2.15 rule 7: …'`, `"7.8 2.16 …"`, `2.8.P5 …`. */
const title = /['"`]((?:\d\.\d+(?:\.P?\d+)*(?:[ ,:]+rules? \d+(?:(?:, | and )\d+)*)?(?:[ ,:]+|and )+)+)[\p{L}$_"(.-]/gu
const numbers = /(\d\.\d+(?:\.P?\d+)*)(?:[ ,:]+rules? (\d+(?:(?:, | and )\d+)*))?/g

/** Tests of the document server use rule numbers of another specification. */
const otherSpecifications = /^test\/(server|workers)\//

/** Returns the files below `test` that prove each rule, sorted. */
export function proofsOf(root: string): ReadonlyMap<string, readonly string[]> {
  const proofs = new Map<string, readonly string[]>()
  const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.startsWith('docs/')) // Tests about the titles themselves.
    .map((name) => `test/${name}`)
    .filter((path) => !otherSpecifications.test(path))
    .sort()
  for (const file of files) {
    for (const id of rulesIn(readFileSync(join(root, file), 'utf8'))) {
      proofs.set(id, [...(proofs.get(id) ?? []), file])
    }
  }
  return proofs
}

export function rulesWithoutTest(proofs: ReadonlyMap<string, readonly string[]>): readonly string[] {
  return rules.map(({ id }) => id).filter((id) => !proofs.has(id))
}

/** Returns numbers that tests name and no rule has: a typing error, or a rule missing from the list. */
export function unknownRules(proofs: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const known = new Set(rules.map(({ id }) => id))
  return [...proofs.keys()].filter((id) => !known.has(id))
}

/** Rules with two numbers: in 2.8, Bailian's list continues the common one. */
const otherNames: Readonly<Record<string, string>> = {
  '2.8.3': '2.8.P3',
  '2.8.4': '2.8.P4',
  '2.8.5': '2.8.P5',
  '2.8.6': '2.8.P6',
}

/** Returns every rule named by titles in the text of a test file. */
export function rulesIn(text: string): ReadonlySet<string> {
  const found = new Set<string>()
  for (const [, prefix = ''] of text.matchAll(title)) {
    for (const [, number = '', within] of prefix.matchAll(numbers)) {
      const inner = within?.split(/, | and /) ?? []
      if (inner.length === 0) found.add(number)
      for (const one of inner) found.add(`${number}.${one}`)
    }
  }
  return new Set([...found].map((id) => otherNames[id] ?? id))
}
