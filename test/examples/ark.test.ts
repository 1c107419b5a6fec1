// The example for Ark.
import t from 'tap'
import { arkEmulator } from '../../plugins/ark/emulator/index.js'
import { ark } from '../../plugins/ark/index.js'
import { wholeLife } from './whole-life.js'

t.test('the example for Ark has every kind, and lives its whole life', (t) =>
  wholeLife(t, { provider: ark, emulator: arkEmulator, folder: 'ark', agent: 'critic' }),
)
