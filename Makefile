# Wherefore: the few commands a person needs. `make help` lists them.

CARGO ?= cargo
CORPUS ?=
SOAK ?= 3600
# The fewest random systems that a soak gives to SMT solvers.
MODELS ?= 10000
BENCH ?=
# How often short runs are repeated, and after how many seconds of CPU time a run is ended. QUICK=1 is for a look.
BENCH_RUNS ?= $(if $(QUICK),1,3)
BENCH_LIMIT ?= $(if $(QUICK),3,60)
MEASURE = --runs $(BENCH_RUNS) --limit $(BENCH_LIMIT) --out $(BUILT)/bench $(BENCH)
# Where cargo puts what it builds.
BUILT := $(or $(CARGO_TARGET_DIR),target)

# Seconds for each reader that a soak gives random texts to.
FUZZ ?= 60
READERS := $(basename $(notdir $(wildcard fuzz/fuzz_targets/*.rs)))

.PHONY: help compiler demo tools test lint web test-web corpus soak bench audit fuzz dist publishable

help:
	@echo "make demo                  build, and check the built-in elevator"
	@echo "make tools                 install what the tests ask: solvers, Graphviz, a JDK, Chromium, packages of the page"
	@echo "make test                  everything that must pass: format, lints, tests, documentation; installs nothing"
	@echo "make dist                  the program as it is given away: small and fast, slow to build"
	@echo "make publishable           package every crate, build it from its package, and publish nothing (asks crates.io)"
	@echo "make web                   build the page of the explorer (needs Node.js); its bundle is committed"
	@echo "make test-web              lints, unit tests and browser tests of the page (needs Node.js and Chromium)"
	@echo "make corpus CORPUS=folder  compare verdicts with those recorded for a folder of models"
	@echo "make soak SOAK=seconds     the random tests, for longer (default 3600), and MODELS=10000 systems by SMT solvers;"
	@echo "                           random Alloy commands beside the Analyzer that make tools fetches; each reader for"
	@echo "                           FUZZ=60 seconds"
	@echo "make bench                 time and memory as models grow, beside NuSMV where it is installed"
	@echo "make bench CORPUS=folder   the same, and our time against that recorded for a folder of models"
	@echo "make bench QUICK=1         the same with one run of each, ended after 3 seconds (BENCH_RUNS, BENCH_LIMIT)"
	@echo "make fuzz FUZZ=seconds     random texts for each reader (default 60), led by coverage where cargo-fuzz is installed"
	@echo "make audit                 licences, sources, duplicates and advisories of the dependencies (needs cargo-deny)"

# The solver CaDiCaL is compiled from C++. The demo does without: its solver is in plain Rust.
compiler:
	@command -v c++ >/dev/null || { echo "a C++ compiler is missing: make tools, or apt-get install -y g++"; exit 1; }

demo:
	$(CARGO) build --profile quick --locked -p wherefore-cli --no-default-features --features tui
	@mkdir -p $(BUILT)/demo
	@cd $(BUILT)/demo && { ../quick/wherefore demo elevator --force; code=$$?; test $$code -le 1; }

dist: compiler
	$(CARGO) build --profile dist --locked -p wherefore-cli

publishable: compiler
	$(CARGO) publish --dry-run --locked --workspace

tools:
	@scripts/tools

test: lint
	@scripts/tools --missing
	$(CARGO) test --locked --workspace
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --locked --workspace --no-deps --document-private-items
	@$(MAKE) --no-print-directory test-web
	@! command -v cargo-deny >/dev/null || cargo deny --offline check bans licenses sources

# The page of the explorer. Building the binary needs neither of these: web/dist is committed, and a test compares it with
# its source.
web:
	cd web && npm ci --no-audit --no-fund && npm run build

test-web:
	@scripts/test-web "$(abspath $(BUILT))/debug/wherefore"

lint: compiler
	$(CARGO) fmt --all --check
	$(CARGO) clippy --locked --workspace --all-targets -- -D warnings

corpus: compiler
	@test -n "$(CORPUS)" || { echo "say which folder: make corpus CORPUS=folder"; exit 2; }
	$(CARGO) run --release --locked -p wherefore-acceptance --bin corpus -- $(CORPUS)

soak: compiler
	WHEREFORE_SOAK=$(SOAK) WHEREFORE_MODELS=$(MODELS) $(CARGO) test --release --locked -p wherefore-acceptance -p wherefore-relational -p wherefore-smtcheck -p wherefore-view -- --nocapture --test-threads=2
	scripts/toy-language
	$(CARGO) build --release --locked -p wherefore-cli
	scripts/soak-alloy $(BUILT)/release/wherefore $(BUILT)/tools/alloy.jar --seconds $(SOAK)
	@$(MAKE) --no-print-directory fuzz

bench: compiler
	$(CARGO) build --release --locked -p wherefore-cli -p wherefore-acceptance -p wherefore-lts \
	  --bin wherefore --bin bench --example lossy_transfer
	@test -z "$(CORPUS)" || $(BUILT)/release/bench corpus "$(CORPUS)" $(MEASURE)
	@test -z "$(CORPUS)" || $(BUILT)/release/bench alloy "$(CORPUS)" $(MEASURE)
	@$(BUILT)/release/bench tcmc $(CORPUS) $(MEASURE)
	@$(BUILT)/release/bench growth $(MEASURE)
	@$(BUILT)/release/bench smt $(MEASURE)
	@BENCH_LIMIT=$(BENCH_LIMIT) scripts/bench-lts $(BUILT)/release/wherefore

# Without cargo-fuzz the same readers get changed texts from a test.
fuzz: compiler
ifneq ($(shell command -v cargo-fuzz),)
	@cd fuzz && for reader in $(READERS); do \
	  RUSTC_BOOTSTRAP=1 cargo fuzz run $$reader -- -max_total_time=$(FUZZ) || exit 1; done
else
	WHEREFORE_FUZZ=$(FUZZ) $(CARGO) test --release --locked -p wherefore-acceptance readers -- --nocapture --test-threads=2
endif

audit:
	@command -v cargo-deny >/dev/null || { echo "cargo-deny is missing: make tools DENY=1"; exit 1; }
	cargo deny check
