// Saves a whole log of a document as a file.
import { saveAs } from '../../shared/save-as.js'
import { useSession } from '../current.js'
import { ProblemNotice } from '../parts/notice.js'
import { documentPath, withQuery } from '../paths.js'
import { text } from '../texts.js'
import { useWork } from '../use-work.js'

interface ExportButtonsProps {
  readonly tenantId: string
  readonly docId: string
  readonly log: 'changes' | 'reads'
}

export function ExportButtons({ tenantId, docId, log }: ExportButtonsProps) {
  const { client } = useSession()
  const { isBusy, problem, run } = useWork()
  const save = async (format: 'csv' | 'ndjson') => {
    const path = withQuery(`${documentPath(tenantId, docId)}/audit/export`, { format, log })
    saveAs(await client.blob(path), `${docId}-${log}.${format}`)
  }
  return (
    <>
      {(['csv', 'ndjson'] as const).map((format) => (
        <button
          key={format}
          type="button"
          class="button"
          disabled={isBusy}
          onClick={() => void run(() => save(format))}
        >
          {text('saveAs', { format: format.toUpperCase() })}
        </button>
      ))}
      <ProblemNotice problem={problem} />
    </>
  )
}
