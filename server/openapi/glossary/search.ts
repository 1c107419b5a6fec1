// Descriptions of parameters and members of a search.

export const searchTerms = {
  q: 'The text to find, or the pattern.',
  regex: 'True: `q` is a pattern, in the syntax of RE2.',
  matchCase: 'True: upper and lower case are different.',
  matchDiacritics: 'True: letters with and without accents are different.',
  wholeWord: 'True: no letter or digit stands before or after a match.',
  ignoreWhitespace: 'True: spaces and line breaks do not count.',
  startPage: 'Object number of the page to begin with.',
  'doc.search.rects.from': 'The same as `startPage`.',
  'doc.search.full.from': 'The same as `startPage`.',
  skip: 'Number of pages that earlier slices searched.',
  limitPages: 'The same as `maxPages`.',
  limitMatches: 'The same as `maxMatches`.',
  maxPages: 'Maximum number of pages of this slice.',
  maxMatches: 'Number of matches after which the slice ends, with its page.',
  'doc.search.rectsAt.token':
    'Pairs of epoch, format, query and position, in alphabetical order: the cursor of the slice before.',
  'doc.search.fullAt.token':
    'Pairs of epoch, format, query and position, in alphabetical order: the cursor of the slice before.',
  matches: 'Matches in the order of the search.',
  'matches.start': 'Number of the first character in the text of the page.',
  'matches.count': 'Number of characters.',
  segments: 'The parts of the match, one for each line.',
  quad: 'Corners of the part along the direction of writing.',
  'segments.rect': 'Upright box around the part.',
  advance: '-1: the characters run against the direction of writing.',
  snippet: 'The match and the text around it.',
  'snippet.before': 'Text before the match.',
  'snippet.match': 'Text of the match.',
  'snippet.after': 'Text after the match.',
  pagesSearched: 'Number of pages searched so far.',
}
