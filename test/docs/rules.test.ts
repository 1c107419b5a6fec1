// docs/rules.md lists every rule of the agent configuration, and every rule has a test.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { proofsOf, rulesIn, rulesWithoutTest, unknownRules } from '../../scripts/docs/proofs.js'
import { rules } from '../../scripts/docs/rules.js'
import { rulesPage } from '../../scripts/docs/rules-page.js'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const proofs = proofsOf(root)

t.test('every rule has a test, and every number in a title is a rule', async (t) => {
  t.same(rulesWithoutTest(proofs), [])
  t.same(
    unknownRules(proofs).map((id) => `${id} in ${proofs.get(id)?.join(' ')}`),
    [],
  )
})

t.test('the page is what npm run docs makes', async (t) => {
  t.ok((await rulesPage(root)) === readFileSync(join(root, 'docs/rules.md'), 'utf8'), 'run "npm run docs"')
})

t.test('rules are listed once, in the order of their numbers', async (t) => {
  const ids = rules.map(({ id }) => id)
  t.equal(new Set(ids).size, ids.length)
  const sortKey = (id: string) => id.split('.').map((part) => part.padStart(4, '0'))
  const sorted = [...ids].sort((a, b) => (sortKey(a).join('.') < sortKey(b).join('.') ? -1 : 1))
  t.same(ids, sorted)
})

const titles: Readonly<Record<string, readonly string[]>> = {
  "'7.9 an absolute path'": ['7.9'],
  "'7.8 2.16 a deployment'": ['7.8', '2.16'],
  '`2.15.4 8.3 a roster of ${provider}`': ['2.15.4', '8.3'],
  "'2.15 rule 7: a roster'": ['2.15.7'],
  "'2.8 rule 1 and 2: entries'": ['2.8.1', '2.8.2'],
  "'2.8.P5 a store'": ['2.8.P5'],
  "'2.8 rule 5: a store'": ['2.8.P5'],
  "'8.10 a schedule'": ['8.10'],
  '`7.2 ${"x"} is refused`': ['7.2'],
  "'1.10 would be 1.1'": ['1.10'],
  "'0.5'": [],
  "'a rule such as 7.9'": [],
}
for (const [written, ids] of Object.entries(titles)) {
  t.test(`the numbers of ${written} are read`, async (t) => {
    t.same([...rulesIn(`t.test(${written}, …)`)], ids)
  })
}
