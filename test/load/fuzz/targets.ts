// The targets of `npm run fuzz`.
import { cms } from './cms.js'
import type { FuzzTarget } from './fuzz-target.js'
import { pdf } from './pdf.js'
import { requests } from './requests.js'
import { state } from './state.js'
import { yaml } from './yaml.js'

export const targets: readonly FuzzTarget[] = [yaml, state, cms, pdf, requests]
