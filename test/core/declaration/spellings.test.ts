// Truncated values: their remaining beginning is masked, and nothing else.
import t from 'tap'
import { KnownVariables } from '../../../core/declaration/variables.js'

const variables = new KnownVariables({}, new Map())
variables.hide('sk-live-0123456789')

t.test('the beginning of a value before an ellipsis is hidden', async (t) => {
  t.equal(variables.mask('refused sk-live-0123… (more)'), 'refused (sensitive)… (more)')
  t.equal(variables.mask('a sk-l… b sk-live-… c'), 'a (sensitive)… b (sensitive)… c')
})

t.test('other texts before an ellipsis stay', async (t) => {
  for (const text of ['refused…', 'sk-… and so on', '…', 'sk-live-0123 without one', ''])
    t.equal(variables.mask(text), text)
})
