// Who changed a document, what and when, newest first, by layer, person and kind.
import type { ComponentChildren } from 'preact'
import { useCallback, useState } from 'preact/hooks'
import type { Static } from 'typebox'
import type { AuditLog as AuditAnswer, AuditEntry } from '../../../schemas/document-history.js'
import { useSession } from '../current.js'
import { countText, timeText } from '../format.js'
import { Chip } from '../parts/chip.js'
import { TextField } from '../parts/field.js'
import { ListView } from '../parts/list-view.js'
import { documentPath, withQuery } from '../paths.js'
import { text } from '../texts.js'
import { useList } from '../use-list.js'
import { ExportButtons } from './export-buttons.js'
import { changeWords } from './history-words.js'
import { UndoChange } from './undo-change.js'

const noFilter = { layerName: '', sub: '', kind: '' }

export function AuditLog({ tenantId, docId }: { readonly tenantId: string; readonly docId: string }) {
  const { client } = useSession()
  const [typed, setTyped] = useState(noFilter)
  const [filter, setFilter] = useState(noFilter)
  const read = useCallback(
    async (cursor: string | undefined, signal: AbortSignal) => {
      const path = withQuery(`${documentPath(tenantId, docId)}/audit`, { limit: 50, cursor, ...filter })
      const { entries, nextCursor } = await client.json<Static<typeof AuditAnswer>>(path, { signal })
      return { items: entries, nextCursor }
    },
    [client, tenantId, docId, filter],
  )
  const list = useList(read)
  const send = (event: Event) => {
    event.preventDefault()
    setFilter(typed)
  }
  const isFiltered = Object.values(filter).some((one) => one !== '')
  return (
    <section class="card" aria-label={text('auditLog')}>
      <form class="card-head audit-filter" onSubmit={send}>
        <TextField
          label={text('layer')}
          value={typed.layerName}
          onValue={(layerName) => setTyped({ ...typed, layerName })}
        />
        <TextField label={text('subject')} value={typed.sub} onValue={(sub) => setTyped({ ...typed, sub })} />
        <TextField
          label={text('kind')}
          value={typed.kind}
          maxLength={64}
          onValue={(kind) => setTyped({ ...typed, kind })}
        />
        <button type="submit" class="button">
          {text('filter')}
        </button>
        <ExportButtons tenantId={tenantId} docId={docId} log="changes" />
      </form>
      <ListView
        label={text('auditLog')}
        list={list}
        empty={text(isFiltered ? 'nothingFound' : 'noChanges')}
        row={(entry) => (
          <Entry key={entry.id} entry={entry}>
            <UndoChange tenantId={tenantId} docId={docId} entry={entry} onUndone={list.reload} />
          </Entry>
        )}
      />
    </section>
  )
}

interface EntryProps {
  readonly entry: Static<typeof AuditEntry>
  readonly children: ComponentChildren
}

function Entry({ entry, children }: EntryProps) {
  const { ts, sub, layerName, affectedPages, undoOf } = entry
  return (
    <li class="row">
      <div class="row-main">
        <span class="row-title">
          {sub} <span class="faint">{changeWords(entry)}</span>
        </span>
        <span class="row-note">
          {undoOf !== null && <Chip tone="quiet" label={text('undone')} />}
          <time dateTime={new Date(ts).toISOString()}>{timeText(ts)}</time>
          <span>{text('inLayer', { name: layerName })}</span>
          {affectedPages.length > 0 && <span>{text('pagesChanged', { count: countText(affectedPages.length) })}</span>}
        </span>
      </div>
      {children}
    </li>
  )
}
