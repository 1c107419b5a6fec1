// Names of findings that are not rules of the policy.

/** Forbidden changes that no rule covers, with explanations. */
export const refusals = {
  'no-rule': 'an entry changed that no rule covers',
  'nothing-permitted': 'level `none` permits no change at all',
  'catalog-replaced': 'the trailer names another catalog',
  'page-tree': 'pages were added, removed, or ordered anew',
  'page-content': 'something that pages are drawn from changed',
  'other-object': 'an object changed that has no role in which it may change',
  'dangling-reference': 'an unchanged object refers to what was undefined when it was signed, and is defined now',
  'wrong-generation': 'a reference names an object by another generation than it has, which some readers follow',
  'generation-changed': 'a number that is in use was given to another object',
  'object-stream-replaced': 'a stream that contains other objects was replaced',
  'locked-field': 'a field changed that a signature locks',
  'field-added': 'a field was added that is no signature field, or not a plain one',
  'field-removed': 'a field was removed, or fields were ordered anew',
  'widget-added': 'a widget was added to a page or a field',
  'widget-removed': 'a widget was removed from a page or a field',
  'signature-changed': 'a signature was changed, replaced or removed',
  'order-of-annotations': 'annotations that are no markup were ordered anew',
} as const
export type RefusalName = keyof typeof refusals

/** Reasons why a change could not be judged, with explanations. */
export const limitations = {
  'unreadable-object': 'the bytes of an object are ambiguous',
  'unreadable-file': 'the structure of the file is ambiguous',
  'unlisted-bytes': 'a revision has bytes that belong to none of its objects, where some readers search for objects',
  'too-many-objects': 'the document has more objects than are searched for references',
  'too-many-revisions': 'more revisions are signed than are judged one by one',
  'too-deep': 'the field tree is deeper than is followed',
  'unlocated-signature': 'the signature does not cover a revision of the file',
} as const
export type LimitationName = keyof typeof limitations
