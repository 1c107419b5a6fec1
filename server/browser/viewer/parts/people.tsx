// The people who read the document at the same time.
import { useRef } from 'preact/hooks'
import { text } from '../../shared/texts.js'
import type { Others } from '../engine/follow-changes.js'
import { Icon } from './icon.js'

export function People({ others: { people, count } }: { readonly others: Others }) {
  const list = useRef<HTMLDetailsElement>(null)
  if (count === 0) return null
  const label = text('alsoHere', { count })
  const close = () => {
    if (list.current) list.current.open = false
  }
  const more = count - people.length
  return (
    <details
      class="people"
      ref={list}
      onKeyDown={({ key }) => key === 'Escape' && close()}
      onBlur={({ currentTarget, relatedTarget }) =>
        relatedTarget instanceof Node && currentTarget.contains(relatedTarget) ? undefined : close()
      }
    >
      <summary class="button" title={label}>
        <Icon name="people" />
        <span aria-hidden="true">{count}</span>
        <span class="unseen">{label}</span>
      </summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lists are scrolled by keyboard */}
      <ul tabIndex={0}>
        {people.map(({ id, displayName }) => (
          <li key={id}>
            {/* Names may be written from right to left. */}
            <bdi>{displayName?.trim() || text('guest')}</bdi>
          </li>
        ))}
        {more > 0 && <li>{text('moreHere', { count: more })}</li>}
      </ul>
    </details>
  )
}
