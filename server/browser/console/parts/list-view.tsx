// A page of a list: its rows, and the way to older and newer ones.
import type { ComponentChildren } from 'preact'
import { text } from '../texts.js'
import type { List } from '../use-list.js'
import { ProblemNotice } from './notice.js'

interface ListViewProps<Item> {
  readonly label: string
  readonly list: List<Item>
  readonly empty: string
  readonly row: (item: Item) => ComponentChildren
}

export function ListView<Item>({ label, list, empty, row }: ListViewProps<Item>) {
  const { items, problem, isLoading, newer, older } = list
  return (
    <div aria-busy={isLoading}>
      <ProblemNotice problem={problem} />
      {items === undefined && problem === undefined && <p class="empty">{text('loading')}</p>}
      {items?.length === 0 && <p class="empty">{older === undefined ? empty : text('searchFurther')}</p>}
      {items !== undefined && items.length > 0 && (
        <ul class="rows" aria-label={label}>
          {items.map(row)}
        </ul>
      )}
      {(newer || older) && (
        <nav class="pager" aria-label={text('pagesOf', { list: label })}>
          <button type="button" class="button" disabled={!newer || isLoading} onClick={newer}>
            {text('newer')}
          </button>
          <button type="button" class="button" disabled={!older || isLoading} onClick={older}>
            {text('older')}
          </button>
        </nav>
      )}
    </div>
  )
}
