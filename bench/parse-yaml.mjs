// The baseline of `validate`: a process that imports `yaml` and parses the file, and does nothing else.
import { readFileSync } from 'node:fs'
import { parseDocument } from 'yaml'

parseDocument(readFileSync(process.argv[2], 'utf8'))
