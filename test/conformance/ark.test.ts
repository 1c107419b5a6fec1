// The conformance suite on Ark, against its emulator.
import t from 'tap'
import { conformance } from '../../core/conformance/conformance.js'
import { isLong, longTimeoutMs, sampleOf, seed } from '../support/sample.js'
import { arkSubject } from './subjects/ark.js'

t.comment(`STEWARD_TEST_SEED=${seed}`)
if (isLong) t.setTimeout(longTimeoutMs)
await conformance(t, { ...arkSubject, ...sampleOf(1) })
