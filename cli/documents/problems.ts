// What can go wrong between the `documents` commands and a document server.
import { fromTable, type ProblemTable } from '../../core/diagnostic.js'

export const documentsProblems = {
  'documents.no-server': {
    severity: 'error',
    summary: 'There is no document server to talk to',
    example: 'No server was named, and no server that runs here left word in ./steward-data.',
    fix: 'Start one with "agents serve", or name one with --url and --token (STEWARD_URL, STEWARD_API_TOKEN).',
  },
  'documents.unreachable': {
    severity: 'error',
    summary: 'The document server does not answer',
    example: 'http://127.0.0.1:4780 does not answer: connect ECONNREFUSED.',
    fix: 'Check its address, and that it runs.',
  },
  'documents.refused': {
    severity: 'error',
    summary: 'The document server refused the request',
    example: 'NotFound: There is no such document.',
    fix: 'The code is explained in the reference that the server has at /docs.',
  },
  'documents.no-file': {
    severity: 'error',
    summary: 'The file cannot be read',
    example: 'report.pdf cannot be read: ENOENT: no such file or directory.',
    fix: 'Check its path and its permissions.',
  },
  'documents.no-page': {
    severity: 'error',
    summary: 'The document has no such page',
    example: 'There is no page 12; the document has 9.',
    fix: 'Count pages from 1.',
  },
} as const satisfies ProblemTable

export type DocumentsCode = keyof typeof documentsProblems

export const { problem: documentsProblem } = fromTable<DocumentsCode>(documentsProblems)
