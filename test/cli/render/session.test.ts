// A message that is printed while it is written: in order, whole, and without the values of variables.
import t from 'tap'
import { renderUsage, renderWaiting, WrittenMessage } from '../../../cli/render/session.js'
import { cutShort } from '../../../core/declaration/spellings.js'

const secret = 's3cret-value-of-the-token'
const mask = (text: string) => cutShort(text.replaceAll(secret, '(sensitive)'), [secret], '(sensitive)')

function printed(parts: readonly string[], whole: string): { readonly early: string; readonly all: string } {
  const message = new WrittenMessage(mask)
  const early = parts.map((part) => message.write(part)).join('')
  return { early, all: early + message.end(whole) }
}

t.test('the parts are printed early and make the whole, however they are cut', async (t) => {
  const text = `One line with ${secret} in it, and ${secret.slice(0, 9)} as well.\nAnother line with much more text.`
  for (let size = 1; size < 40; size++) {
    const parts = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []
    const { early, all } = printed(parts, text)
    t.ok(all.endsWith(mask(text)), `${size}: ${all}`)
    t.notMatch(all, secret.slice(0, 12))
    if (size < 20) t.match(early, 'One line with')
  }
})

t.test('what was lost on the way is in the whole, and another text is printed anew', async (t) => {
  t.equal(printed(['Hello, this is '], 'Hello, this is the whole.').all, 'Hello, this is the whole.')
  t.equal(printed([], 'Never announced.').all, 'Never announced.')
  const other = printed(['Something else that was ', 'written before it', ', and more'], 'The answer.')
  t.match(other.all, /\nThe answer\.$/)
})

t.test('what a session waits for names the command, where there is one', async (t) => {
  const session = { id: 'sess_1', provider: 'acme', canConfirm: true }
  const bash = { id: 'use_1', name: 'bash', input: { command: 'rm \u001b[2K' }, awaits: 'permission' } as const
  const own = { id: 'use_2', name: 'lookup', awaits: 'result' } as const
  const asked = renderWaiting([bash], session)
  t.match(asked, 'agents session confirm sess_1 --allow --provider acme')
  t.notMatch(asked, '\u001b')
  t.match(renderWaiting([bash], { ...session, canConfirm: false }), 'acme takes answers in its own console alone.')
  const result = renderWaiting([own], session)
  t.match(result, 'the result of lookup')
  t.notMatch(result, 'session confirm')
  t.equal(
    renderUsage({ cost: { amount: '7', currency: 'USD' }, inputTokens: 12 }),
    '7 USD at list prices, 12 tokens in',
  )
  t.equal(renderUsage({}), undefined)
})
