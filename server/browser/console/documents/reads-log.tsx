// Who read what of a document, newest first, if its tenant records that.
import { useCallback, useState } from 'preact/hooks'
import type { Static } from 'typebox'
import type { ReadEntry, ReadLog as ReadsAnswer } from '../../../schemas/document-history.js'
import { useSession } from '../current.js'
import { countText, timeText } from '../format.js'
import { TextField } from '../parts/field.js'
import { ListView } from '../parts/list-view.js'
import { documentPath, withQuery } from '../paths.js'
import { text } from '../texts.js'
import { useList } from '../use-list.js'
import { ExportButtons } from './export-buttons.js'
import { historyText, readWords } from './history-words.js'

export function ReadsLog({ tenantId, docId }: { readonly tenantId: string; readonly docId: string }) {
  const { client } = useSession()
  const [typed, setTyped] = useState('')
  const [sub, setSub] = useState('')
  const read = useCallback(
    async (cursor: string | undefined, signal: AbortSignal) => {
      const path = withQuery(`${documentPath(tenantId, docId)}/reads`, { limit: 50, cursor, sub })
      const { entries, nextCursor } = await client.json<Static<typeof ReadsAnswer>>(path, { signal })
      return { items: entries, nextCursor }
    },
    [client, tenantId, docId, sub],
  )
  const send = (event: Event) => {
    event.preventDefault()
    setSub(typed)
  }
  return (
    <section class="card" aria-label={text('reads')}>
      <form class="card-head audit-filter" onSubmit={send}>
        <TextField label={text('subject')} value={typed} onValue={setTyped} />
        <button type="submit" class="button">
          {text('filter')}
        </button>
        <ExportButtons tenantId={tenantId} docId={docId} log="reads" />
      </form>
      <ListView
        label={text('reads')}
        list={useList(read)}
        empty={text(sub === '' ? 'noReads' : 'nothingFound')}
        row={(entry) => <Entry key={entry.id} entry={entry} />}
      />
    </section>
  )
}

function Entry({ entry }: { readonly entry: Static<typeof ReadEntry> }) {
  const { ts, sub, share, address, layerName, pages } = entry
  return (
    <li class="row">
      <div class="row-main">
        <span class="row-title">
          {sub ?? historyText('visitor')} <span class="faint">{readWords(entry)}</span>
        </span>
        <span class="row-note">
          <time dateTime={new Date(ts).toISOString()}>{timeText(ts)}</time>
          <span>{address}</span>
          {share !== null && <span>{text('byShare', { share })}</span>}
          {layerName !== null && <span>{text('inLayer', { name: layerName })}</span>}
          {pages.length > 0 && <span>{text('pagesRead', { count: countText(pages.length) })}</span>}
        </span>
      </div>
    </li>
  )
}
