// The presets by name.
import type { Preset } from '../../contract/marking.js'
import type { SearchPattern } from '../../pages/search-pattern.js'
import { cardNumbers } from './card.js'
import { emailAddresses } from './email.js'
import { ibans } from './iban.js'
import { phoneNumbers } from './phone.js'
import { patternOf } from './preset-pattern.js'

export const presetPatterns: Readonly<Record<Preset, SearchPattern>> = {
  email: patternOf(emailAddresses),
  iban: patternOf(ibans),
  card: patternOf(cardNumbers),
  phone: patternOf(phoneNumbers),
}
