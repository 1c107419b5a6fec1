// The conformance suite on Ark, against its emulator.
import t from 'tap'
import { conformance } from '../../core/plugin/conformance/conformance.js'
import { sampleOf, seed } from '../support/sample.js'
import { arkSubject } from './subjects/ark.js'

t.comment(`STEWARD_TEST_SEED=${seed}`)
await conformance(t, { ...arkSubject, ...sampleOf(2) })
