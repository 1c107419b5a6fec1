// The people who read the document at the same time.
import { text } from '../../shared/texts.js'
import type { Person } from '../engine/follow-changes.js'
import { Icon } from './icon.js'

export function People({ people }: { readonly people: readonly Person[] }) {
  if (people.length === 0) return null
  const label = text('alsoHere', { count: people.length })
  return (
    <details class="people">
      <summary class="button" title={label}>
        <Icon name="people" />
        <span aria-hidden="true">{people.length}</span>
        <span class="unseen">{label}</span>
      </summary>
      <ul>
        {people.map(({ sub, displayName }) => (
          <li key={sub}>{displayName ?? text('guest')}</li>
        ))}
      </ul>
    </details>
  )
}
