// node duckdb.mjs FILE COLUMN [CLASS_COLUMN] [TYPE]
//
// Prints the number of samples and p50, p90, p95, p99 and p99.9 of a column by
// DuckDB's quantile_disc: one line of JSON for the whole, and one for each class.
// THREADS is how many threads it has.
import { DuckDBInstance } from "@duckdb/node-api";

const [file, column, cls, type = "DOUBLE"] = process.argv.slice(2);
const quote = (name) => `"${name.replaceAll('"', '""')}"`;
const db = await DuckDBInstance.create(":memory:", { threads: process.env.THREADS || "2" });
const connection = await db.connect();
const types = cls ? `{${[[column, type], [cls, "VARCHAR"]].map(([n, t]) => `'${n}': '${t}'`).join(", ")}}` : `{'${column}': '${type}'}`;
const source = `read_csv('${file.replaceAll("'", "''")}', header = true, delim = ',', quote = '"', escape = '"', types = ${types})`;
const group = cls ? `group by grouping sets ((), (${quote(cls)}))` : "";
const name = cls ? `case when grouping(${quote(cls)}) = 1 then null else ${quote(cls)} end` : "null";
const result = await connection.runAndReadAll(
  `select ${name}, count(${quote(column)}), quantile_disc(${quote(column)}, [0.5, 0.9, 0.95, 0.99, 0.999])::VARCHAR[] from ${source} ${group} order by 1 nulls first`,
);
for (const row of result.getRowsJson()) console.log(JSON.stringify(row));
