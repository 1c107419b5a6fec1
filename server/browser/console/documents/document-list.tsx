// The documents of a tenant: uploads, search, pages.
import { useCallback, useEffect, useState } from 'preact/hooks'
import { useSession } from '../current.js'
import { IconButton } from '../parts/icon-button.js'
import { ListView } from '../parts/list-view.js'
import { documentsPath, withQuery } from '../paths.js'
import { text } from '../texts.js'
import { ChooseFiles, DropArea } from '../uploads/drop-area.js'
import { UploadList, useUploads } from '../uploads/upload-list.js'
import { useList } from '../use-list.js'
import type { DocumentRecord } from './document.js'
import { DocumentRow } from './document-row.js'
import { type Filter, Filters } from './filters.js'

const pageSize = 25

/** While documents are being processed, the list is read again after this time. */
const followMs = 4_000

interface DocumentListProps {
  readonly tenantId: string
  readonly canOpen: boolean
}

export function DocumentList({ tenantId, canOpen }: DocumentListProps) {
  const session = useSession()
  const { client, uploads } = session
  const [filter, setFilter] = useState<Filter>({ name: '', state: '' })
  const read = useCallback(
    async (cursor: string | undefined, signal: AbortSignal) => {
      const path = withQuery(documentsPath(tenantId), { limit: pageSize, cursor, ...filter })
      const { documents, nextCursor } = await client.json<Answer>(path, { signal })
      return { items: documents, nextCursor }
    },
    [client, tenantId, filter],
  )
  const list = useList(read)
  const { reload, items, isLoading } = list
  const over = useUploads(tenantId).filter(({ isOver }) => isOver).length
  useEffect(reload, [over, reload])
  useFollowing(reload, !isLoading && items?.some(({ state }) => state === 'pending' || state === 'deleting'))
  const mayUpload = session.may('docs.create')
  const add = useCallback((files: readonly File[]) => uploads.add(tenantId, files), [uploads, tenantId])
  const content = (
    <section class="card" aria-label={text('documents')}>
      <header class="card-head">
        <Filters filter={filter} onFilter={setFilter} />
        <IconButton icon="reload" label={text('reload')} onClick={reload} />
        {mayUpload && <ChooseFiles onFiles={add} />}
      </header>
      <ListView
        label={text('documents')}
        list={list}
        empty={text(filter.name || filter.state ? 'nothingFound' : 'noDocuments')}
        row={(document) => <DocumentRow key={document.id} document={document} canOpen={canOpen} onDeleted={reload} />}
      />
    </section>
  )
  if (!mayUpload) return content
  return (
    <DropArea onFiles={add}>
      <UploadList tenantId={tenantId} />
      {content}
    </DropArea>
  )
}

interface Answer {
  readonly documents: readonly DocumentRecord[]
  readonly nextCursor: string | null
}

function useFollowing(reload: () => void, isNeeded: boolean | undefined): void {
  useEffect(() => {
    if (!isNeeded) return
    const timer = setTimeout(reload, followMs)
    return () => clearTimeout(timer)
  }, [isNeeded, reload])
}
