// Which documents are listed: by a part of their name, and by state.
import { useEffect, useState } from 'preact/hooks'
import { type TextName, text } from '../texts.js'
import { stateNames } from './state-chip.js'

export interface Filter {
  readonly name: string
  /** State of the API; empty = all. */
  readonly state: string
}

/** Pause in typing after which the list is requested. */
const pauseMs = 250

const states: readonly (readonly [string, TextName])[] = [
  ['', 'allStates'],
  ['ready', stateNames.ready],
  ['pending', stateNames.pending],
  ['failed', stateNames.failed],
  ['deleting', stateNames.deleting],
]

interface FiltersProps {
  readonly filter: Filter
  readonly onFilter: (filter: Filter) => void
}

export function Filters({ filter, onFilter }: FiltersProps) {
  const [name, setName] = useState(filter.name)
  useEffect(() => {
    if (name.trim() === filter.name) return
    const timer = setTimeout(() => onFilter({ ...filter, name: name.trim() }), pauseMs)
    return () => clearTimeout(timer)
  }, [name, filter])
  return (
    <search class="filters">
      <input
        type="search"
        value={name}
        maxLength={256}
        placeholder={text('searchName')}
        aria-label={text('searchName')}
        onInput={({ currentTarget }) => setName(currentTarget.value)}
      />
      <select
        aria-label={text('state')}
        value={filter.state}
        onChange={({ currentTarget }) => onFilter({ ...filter, state: currentTarget.value })}
      >
        {states.map(([value, label]) => (
          <option key={value} value={value}>
            {text(label)}
          </option>
        ))}
      </select>
    </search>
  )
}
