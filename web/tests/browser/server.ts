// The real server, started for a test. `WHEREFORE` names the binary.

import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

export const examples = join(import.meta.dirname, '../../../examples');
export const binary = process.env['WHEREFORE'] ?? '';

/** Why there is no server to test with, or null. */
export function missing(): string | null {
  if (binary === '' || !existsSync(binary)) return 'WHEREFORE names no binary';
  const help = spawnSync(binary, ['open', '--help'], { encoding: 'utf8' });
  return help.status === 0 ? null : 'the binary has no command `open`';
}

export class Server {
  private constructor(private readonly process: ChildProcess, readonly url: string) {}

  /** Starts it and waits for its address. */
  static async start(...args: string[]): Promise<Server> {
    const child = spawn(binary, ['open', '--no-browser', ...args], { cwd: examples, stdio: ['ignore', 'pipe', 'pipe'] });
    const url = await new Promise<string>((resolve, reject) => {
      let output = '';
      const read = (chunk: Buffer): void => {
        output += chunk.toString();
        const found = /http:\/\/\S+/.exec(output);
        if (found !== null) resolve(found[0]);
      };
      child.stdout.on('data', read);
      child.stderr.on('data', read);
      child.on('exit', code => { reject(new Error(`the server ended with code ${String(code)}: ${output}`)); });
    });
    return new Server(child, url);
  }

  stop(): void {
    this.process.kill();
  }
}
