// Tables and functions of the store, as migrations that are applied in order.

/**
 * Statements by version, from 1. Published ones are never changed. `$S` stands for the quoted name of the schema.
 *
 * `commit_rows` writes a commit in one round trip. It takes the keys in ascending order with one byte each (see
 * `operations.ts`), and locks each row in the strongest way that the commit needs when it gets there, so that commits
 * wait for each other in one order and cannot deadlock. Together these locks are two-phase: commits have the effect
 * of running one after the other. A key that is expected to be absent is inserted, because only a row in the index
 * stops other commits from creating it meanwhile, and removed again if the commit does not write it.
 *
 * `writers` has one row per connection with the number of its last commit, written together with the commit. After a
 * lost connection `resolve_commit` waits for the commit if it still runs, reads from the row whether it took effect,
 * and if not, prevents it from taking effect later.
 */
export const migrations: readonly (readonly string[])[] = [
  [
    `create table $S.rows (key bytea primary key, value bytea not null)
       with (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.05)`,
    `create table $S.writers (id uuid primary key, turn bigint not null, at timestamptz not null default now())
       with (fillfactor = 50)`,
    'create table $S.facts (name text primary key, value text not null)',
    `create function $S.commit_rows(
       p_keys bytea[], p_operations bytea, p_expected bytea[], p_values bytea[], p_writer uuid, p_turn bigint,
       p_lock_timeout text
     ) returns text language plpgsql as $body$
     declare
       operation int;
       expects int;
       writes int;
       row_key bytea;
       is_met boolean;
     begin
       if current_setting('synchronous_commit') = 'off' then
         perform set_config('synchronous_commit', 'on', true);
       end if;
       perform set_config('lock_timeout', p_lock_timeout, true);
       begin
         insert into $S.writers as w (id, turn) values (p_writer, p_turn)
           on conflict (id) do update set turn = excluded.turn, at = now() where w.turn < excluded.turn;
         if not found then
           return 'superseded';
         end if;
         for i in 1 .. coalesce(array_length(p_keys, 1), 0) loop
           row_key := p_keys[i];
           operation := get_byte(p_operations, i - 1);
           expects := operation & 3;
           writes := (operation >> 2) & 3;
           is_met := true;
           if expects = 2 then
             if writes = 1 then
               update $S.rows r set value = p_values[i] where r.key = row_key and r.value = p_expected[i];
             elsif writes = 2 then
               delete from $S.rows r where r.key = row_key and r.value = p_expected[i];
             else
               perform 1 from $S.rows r where r.key = row_key and r.value = p_expected[i] for share;
             end if;
             is_met := found;
           elsif expects = 1 then
             insert into $S.rows (key, value)
               values (row_key, case when writes = 1 then p_values[i] else ''::bytea end)
               on conflict (key) do nothing;
             is_met := found;
             if is_met and writes <> 1 then
               delete from $S.rows r where r.key = row_key;
             end if;
           elsif writes = 1 then
             insert into $S.rows (key, value) values (row_key, p_values[i])
               on conflict (key) do update set value = excluded.value;
           elsif writes = 2 then
             delete from $S.rows r where r.key = row_key;
           end if;
           if not is_met then
             raise exception using
               errcode = case when operation & 16 = 16 then 'SW002' else 'SW001' end,
               message = 'A row is not as expected';
           end if;
         end loop;
       exception
         when sqlstate 'SW001' then
           return 'conflict';
         when sqlstate 'SW002' then
           return 'amended';
       end;
       return 'committed';
     end
     $body$`,
    `create function $S.resolve_commit(p_writer uuid, p_turn bigint, p_lock_timeout text)
     returns boolean language plpgsql as $body$
     declare
       last_turn bigint;
     begin
       perform set_config('lock_timeout', p_lock_timeout, true);
       insert into $S.writers (id, turn) values (p_writer, 0) on conflict (id) do nothing;
       select w.turn into last_turn from $S.writers w where w.id = p_writer for update;
       if last_turn = p_turn then
         return true;
       end if;
       update $S.writers set turn = 9223372036854775807 where id = p_writer;
       return false;
     end
     $body$`,
  ],
]

/** Version of the schema that this server writes. */
export const schemaVersion = migrations.length

/** Oldest version of a server that can work on the schema after these migrations. */
export const readableFrom = 1

/** Names in the schema, quoted once. */
export interface Names {
  readonly schema: string
  readonly unquotedSchema: string
  readonly rows: string
  readonly writers: string
  readonly facts: string
  readonly version: string
  readonly commitRows: string
  readonly resolveCommit: string
}

export function namesIn(schema: string): Names {
  const quoted = `"${schema}"`
  return {
    schema: quoted,
    unquotedSchema: schema,
    rows: `${quoted}.rows`,
    writers: `${quoted}.writers`,
    facts: `${quoted}.facts`,
    version: `${quoted}.schema_version`,
    commitRows: `${quoted}.commit_rows`,
    resolveCommit: `${quoted}.resolve_commit`,
  }
}
