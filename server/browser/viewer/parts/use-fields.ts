// The fields of the document, as they are now.
import { useEffect, useState } from 'preact/hooks'
import { type FieldsByPage, fieldsOf } from '../engine/form.js'
import type { OpenedDocument } from '../engine/opened-document.js'

export function useFields(opened: OpenedDocument): FieldsByPage {
  const [fields, setFields] = useState<FieldsByPage>(new Map())
  useEffect(() => {
    let controller = new AbortController()
    const read = () => {
      controller.abort()
      controller = new AbortController()
      // Fields that cannot be read are shown by the picture of the page.
      fieldsOf(opened, controller.signal).then(setFields, () => {})
    }
    read()
    const end = opened.onRefresh(read)
    return () => {
      end()
      controller.abort()
    }
  }, [opened])
  return fields
}
