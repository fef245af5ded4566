// The connection to the server. The server sends pings, which the page answers. After a silence, which is how a connection ends
// of which neither end is told, the page connects again.

import { $, ask, say, secrets, tell } from './server.js';

const PROTOCOL = 2;
/** A ping comes every 4 seconds. After a silence this long, the connection is lost; if there is reason for doubt, after less. */
const SILENCE = 9000;
const DOUBTFUL = 5000;
/** After a connection that lasted this long, the first attempt to connect again comes soon. */
const STEADY = 10000;
const MAX_DELAY = 5000;
/** From this on, the network delay is marked. */
const SLOW = 300;

export class Connection {
  /** `take` gets each message, and `cut` is called when the connection is lost. */
  constructor(id, take, cut) {
    Object.assign(this, { path: `/api/games/${id}`, take, cut, socket: null, timer: null, tries: 0, heard: 0, since: 0, seen: null });
  }

  start() {
    this.connect();
    setInterval(() => this.check(SILENCE), 1000);
    document.addEventListener('visibilitychange', () => { if (!document.hidden) this.check(DOUBTFUL); });
    addEventListener('online', () => this.check(DOUBTFUL));
  }

  get open() { return this.socket?.readyState === WebSocket.OPEN; }

  /** Sends a message, if that is possible. */
  send(message) {
    if (this.open) this.socket.send(JSON.stringify(message));
  }

  connect() {
    clearTimeout(this.timer);
    const path = `${this.path}/socket`;
    const url = `${location.origin.replace(/^http/, 'ws')}${path}${this.seen === null ? '' : `?seen=${this.seen}`}`;
    const socket = new WebSocket(url, [`tabiya.${PROTOCOL}`, `tabiya.bearer.${secrets.of(path)}`]);
    // Date, because other clocks stand still while a computer sleeps.
    Object.assign(this, { socket, heard: Date.now(), since: Date.now() });
    socket.addEventListener('message', (event) => { if (socket === this.socket) this.hear(JSON.parse(event.data)); });
    socket.addEventListener('close', () => this.lost(socket));
  }

  hear(message) {
    this.heard = Date.now();
    if ('number' in message) this.seen = message.number;
    if (message.type === 'ping') {
      this.send({ type: 'pong' });
      this.drawLag(message.lag_ms);
      return;
    }
    if (message.type === 'state') this.show('');
    this.take(message);
  }

  /** Whether the connection is still there; if it is being waited for, it is tried now. */
  check(silence) {
    if (this.socket && Date.now() - this.heard >= silence) this.lost(this.socket);
    else if (!this.socket && silence === DOUBTFUL) this.connect();
  }

  /** Connects again. The server then sends the current state of the game. */
  again() {
    this.lost(this.socket);
  }

  async lost(socket) {
    if (socket !== this.socket) return;
    this.socket = null;
    socket.close();
    if (Date.now() - this.since >= STEADY) this.tries = 0;
    this.show(this.seen === null ? 'Connecting…' : 'Reconnecting…');
    this.cut();
    // Not all pages of a server that was away come back at the same moment.
    const delay = Math.min(250 * 2 ** this.tries, MAX_DELAY) * (0.5 + Math.random() / 2);
    this.tries += 1;
    this.timer = setTimeout(() => this.connect(), delay);
    if (this.tries > 1) return;
    try {
      await ask(this.path);
    } catch (error) {
      // If the server refuses this client, there is no point in trying again. If it is busy or ending, there is.
      if (!error.status || error.status >= 500 || error.status === 429) return;
      clearTimeout(this.timer);
      tell(error.message);
    }
  }

  show(text) {
    if (text && text !== $('connection').textContent) say(text);
    $('connection').textContent = text;
    $('connection').classList.toggle('lost', Boolean(text));
    if (text) $('lag').textContent = '';
  }

  drawLag(lag) {
    if (lag === undefined) return;
    $('lag').textContent = `${lag} ms`;
    $('lag').classList.toggle('slow', lag >= SLOW);
  }
}
