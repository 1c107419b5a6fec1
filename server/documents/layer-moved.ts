// A layer changed while it was being read, so that what was read may be newer than the rows the request began with. Nobody
// is told: the request begins again with the rows as they are now.

export class LayerMoved extends Error {
  constructor() {
    super('The layer changed while it was being read')
    this.name = 'LayerMoved'
  }
}
