// The conformance suite of steward on this provider: `npm test`.
import { test } from 'node:test'
import { kinds } from 'steward/kinds'
import { conformance } from 'steward/plugin'
import acme from '../index.js'
import { subject } from './subject.js'

await conformance({ test }, { ...subject, provider: acme, kinds })
