// SPDX-License-Identifier: MIT
// Usage: node onnx.mjs CASES RESULTS
// Runs ONNX models in onnxruntime. CASES is a JSON list of models to run, each with `model` (a file),
// `rows` and `feeds`: for every input its `type` and its `data`, one element for each row. RESULTS
// becomes the list of results, for all rows at once (`outputs`) and for each row alone (`alone`). In
// both files, numbers that JSON cannot represent are the texts NaN, Infinity and -Infinity, and whole
// numbers of the type int64 are texts.
import { readFileSync, writeFileSync } from 'node:fs';
import ort from 'onnxruntime-node';

const [casesFile, resultsFile] = process.argv.slice(2);

const written = (value) =>
  typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;

function tensor({ type, data }, rows) {
  const values =
    type === 'string' ? data :
    type === 'int64' ? BigInt64Array.from(data, BigInt) : Float32Array.from(data, Number);
  return new ort.Tensor(type, values.slice(rows.first, rows.past), [rows.past - rows.first, 1]);
}

async function run(session, feeds, rows) {
  const tensors = {};
  for (const [name, feed] of Object.entries(feeds)) tensors[name] = tensor(feed, rows);
  const outputs = {};
  for (const [name, output] of Object.entries(await session.run(tensors))) {
    outputs[name] = { type: output.type, dims: output.dims, data: Array.from(output.data, written) };
  }
  return outputs;
}

const results = [];
for (const { model, rows, feeds } of JSON.parse(readFileSync(casesFile, 'utf8'))) {
  // Warnings about optimizations do not matter here; errors are thrown.
  const session = await ort.InferenceSession.create(model, { logSeverityLevel: 3 });
  const alone = [];
  for (let r = 0; r < rows; ++r) alone.push(await run(session, feeds, { first: r, past: r + 1 }));
  results.push({
    inputs: session.inputNames,
    outputs: await run(session, feeds, { first: 0, past: rows }),
    alone,
  });
}
writeFileSync(resultsFile, JSON.stringify(results));
